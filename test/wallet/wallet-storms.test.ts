// Level: ci
import { topUpWallet } from '#common/wallet/wallets.ts';
import { afterAll, beforeAll, byLevel, describe, expect, test } from '../support/jest.ts';
import { killStartedPrograms } from '../support/processes/process-control.ts';
import { type ApiProcess, sendUntilAnswered, startApis, stopApis } from '../support/product/api-fleet.ts';
import { type Answer, aSender, ledgerOf, type Sender } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { expectInvariants } from '../support/wallet/invariants.ts';
import { expectSerialOrder, type Sent } from '../support/wallet/serial-order.ts';

const priceCents = 221;
const coloured = { color: true };
const colouredCents = 236;

describe('many concurrent sends over four API processes', () => {
  const world = startWorld();
  let apis: ApiProcess[] = [];
  beforeAll(async () => {
    apis = await startApis(world, 4);
  });
  afterAll(async () => {
    await stopApis(apis);
    await killStartedPrograms();
  });

  /** Sends all letters at once, spread over the processes. */
  async function storm(sender: Sender, letters: Record<string, unknown>[]): Promise<Answer[]> {
    return await Promise.all(letters.map((letter, n) => sendUntilAnswered(apis, sender.key, letter, n)));
  }

  test('some serial order of all requests explains the ledger and every response', async () => {
    const sender = await aSender(world, { balanceCents: 20 * priceCents });
    const { length: seqBefore } = await ledgerOf(sender);
    const orders = byLevel({ quick: 120, full: 120, long: 500 });
    const topUps = 20;
    const topUpCents = 500;
    const letter = await sender.letter();
    // A third of them with one externalId.
    const idOf = (n: number) => (n % 3 === 0 ? 'one' : `order-${n % orders}`);
    const letters = Array.from({ length: orders * 3 }, (_, n) => ({
      ...letter,
      ...(n % 2 === 0 && coloured),
      externalId: idOf(n),
    }));
    const [answers] = await Promise.all([
      storm(sender, letters),
      ...Array.from({ length: topUps }, (_, n) =>
        topUpUntilDone(() => topUpWallet(sender, topUpCents, `storm-${n}`, new Date())),
      ),
    ]);
    const sent = answers.map(({ status, body }, n): Sent => {
      const color = n % 2 === 0;
      if (status !== 402) expect([200, 201]).toContain(status);
      const answer = status === 402 ? null : { ...body, isNew: status === 201 };
      return { externalId: idOf(n), color, priceCents: color ? colouredCents : priceCents, answer };
    });
    const entries = await expectSerialOrder(sender, sent, seqBefore);
    expect(entries.filter(({ key }) => key.includes(':storm-'))).toHaveLength(topUps);
    expect(sent.filter(({ answer }) => answer === null)).not.toEqual([]);
    await expectInvariants();
  });
});

/** Retries an operator's command after a conflict, with the same reference. */
async function topUpUntilDone(topUp: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await topUp();
      return;
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}
