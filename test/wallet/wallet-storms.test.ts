import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { readWallet, topUpWallet } from '#common/wallet/wallets.ts';
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
  const countOf = (answers: Answer[], ...statuses: number[]) =>
    answers.filter(({ status }) => statuses.includes(status)).length;

  test('of far more than 100 sends, money for 100 sends exactly 100 and is never negative', async () => {
    const sender = await aSender(world, { balanceCents: 100 * priceCents });
    const before = (await ledgerOf(sender)).length;
    const count = byLevel({ quick: 400, full: 1_000 });
    const letter = await sender.letter();
    const letters = Array.from({ length: count }, (_, n) => ({ ...letter, externalId: `storm-${n}` }));
    const seenCents: number[] = [];
    let isOver = false;
    const watch = (async () => {
      while (!isOver) seenCents.push((await readWallet(sender)).balanceCents);
    })();
    const answers = await storm(sender, letters).finally(() => {
      isOver = true;
    });
    await watch;
    // A letter that was stored although its response was 503 is a 200 on its retry.
    expect([countOf(answers, 201, 200), countOf(answers, 402)]).toEqual([100, count - 100]);
    expect(Math.min(...seenCents)).toBeGreaterThanOrEqual(0);
    expect(await sender.balanceCents()).toBe(0);
    const debits = (await ledgerOf(sender)).slice(before);
    expect(debits.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => before + n + 1));
    expect(await MailJob.countDocuments({ organizationId: sender.organizationId })).toBe(100);
    await expectInvariants();
  });

  test('one externalId with many concurrent payloads makes one letter, one debit, one event', async () => {
    const sender = await aSender(world);
    const before = (await ledgerOf(sender)).length;
    const count = byLevel({ quick: 300, full: 1_000 });
    const letter = await sender.letter();
    const letters = Array.from({ length: count }, (_, n) => ({ ...letter, externalId: 'one', color: n % 3 === 0 }));
    const answers = await storm(sender, letters);
    expect(countOf(answers, 201, 200)).toBe(count);
    expect(countOf(answers, 201)).toBeLessThanOrEqual(1);
    const [mailJobId, ...others] = new Set(answers.map(({ body }) => body.mailJobId));
    expect(others).toEqual([]);
    expect((await ledgerOf(sender)).slice(before)).toMatchObject([{ kind: 'debit', mailJobId }]);
    expect(await Event.countDocuments({ subjectId: mailJobId, kind: 'MAIL_QUEUED' })).toBe(1);
    for (const [n, { body }] of answers.entries()) expect(body.payloadMatches).toBe((n % 3 === 0) === body.color);
    await expectInvariants();
  });

  test('some serial order of all requests explains the ledger and every response', async () => {
    const sender = await aSender(world, { balanceCents: 20 * priceCents });
    const { length: seqBefore } = await ledgerOf(sender);
    const orders = byLevel({ quick: 120, full: 500 });
    const topUps = 20;
    const topUpCents = 500;
    const letter = await sender.letter();
    const letters = Array.from({ length: orders * 3 }, (_, n) => ({
      ...letter,
      ...(n % 2 === 0 && coloured),
      externalId: `order-${n % orders}`,
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
      return { externalId: `order-${n % orders}`, color, priceCents: color ? colouredCents : priceCents, answer };
    });
    const entries = await expectSerialOrder(sender, sent, seqBefore);
    expect(entries.filter(({ key }) => key.includes(':storm-'))).toHaveLength(topUps);
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
