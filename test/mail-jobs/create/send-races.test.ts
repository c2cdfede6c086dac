// Level: push
import { Registry } from 'prom-client';
import { AppError } from '#common/errors.ts';
import { createMailJob } from '#common/mail-jobs/create/create-mail-job.ts';
import { createMailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import type { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { byLevel, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aSender, ledgerOf, type Sender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { raceOnStore } from '#test/support/races/race-on-store.ts';
import { overSeeds, type Schedule } from '#test/support/races/schedule.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';
import { expectSerialOrder, type Sent } from '#test/support/wallet/serial-order.ts';

const priceCents = 221;
const colouredCents = 236;
const sendsEach = 8;

describe('sends, repeats and top-ups of two API processes in any order of database commands', () => {
  const clock = standingClock();
  const world = startWorld({ clock });

  /** Sends until the service is available. */
  async function send(
    sender: Sender,
    letter: Record<string, unknown>,
    committer: ReturnType<typeof createMailCommitter>,
  ) {
    const { organizationId, mode, keyId } = sender;
    const credential = { id: keyId, scopes: [] };
    const request = { body: letter as MailRequest, idempotencyKey: null, owner: { organizationId, mode }, credential };
    for (;;) {
      try {
        return await createMailJob(request, { ...world.services, mailCommitter: committer }, clock.now());
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'INSUFFICIENT_FUNDS') return null;
        if (error.code !== 'SERVICE_UNAVAILABLE') throw error;
      }
    }
  }

  async function raceSends(schedule: Schedule): Promise<void> {
    const committers = [world.services.mailCommitter, createMailCommitter(new Registry())];
    const actors: Parameters<typeof raceOnStore>[1] = {};
    const owners = await Promise.all(
      [2, 4].map(async (paid) => {
        const sender = await aSender(world, { balanceCents: (paid + 1) * priceCents });
        // Verifies the uploaded file: from here on, a send needs the database alone.
        await sender.send();
        return {
          sender,
          sent: [] as Sent[],
          letter: await sender.letter(),
          seqBefore: (await ledgerOf(sender)).length,
        };
      }),
    );
    for (const [index, { sender, sent, letter }] of owners.entries()) {
      for (let n = 0; n < sendsEach; n += 1) {
        const [externalId, color] = [`letter-${n % 5}`, n % 3 === 0];
        actors[`send ${index}.${n}`] = async () => {
          await schedule.step('arrives', () => clock.advance(1));
          const created = await send(sender, { ...letter, externalId, color }, committers[n % 2]!);
          const answer = created && { ...created, mailJobId: created.job._id };
          sent.push({ externalId, color, priceCents: color ? colouredCents : priceCents, answer });
        };
      }
      for (const n of [1, 2]) {
        const topUp = () => topUpWallet(sender, 300, 'the same payment', clock.now());
        actors[`top-up ${index}.${n}`] = () => schedule.step('arrives', () => {}).then(topUp);
      }
    }
    await raceOnStore(schedule, actors);
    for (const { sender, sent, seqBefore } of owners) {
      const entries = await expectSerialOrder(sender, sent, seqBefore);
      expect(entries.filter(({ kind }) => kind === 'top_up')).toHaveLength(1);
    }
    await committers[1]?.drain();
    await expectInvariants();
  }

  test('some serial order of them explains the ledger and every answer', () =>
    overSeeds(byLevel({ quick: 3, full: 30 }), raceSends));
});
