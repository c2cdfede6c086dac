import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mailCommitMetrics } from '../../common/mail-jobs/commit-mail-jobs.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { Upload } from '../../common/uploads/upload.model.ts';
import { Wallet } from '../../common/wallet/wallet.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aPdf, aPostalAddress, upload } from '../support/builders.ts';
import type { Answer } from '../support/client.ts';
import { expectInvariants } from '../support/invariants.ts';
import { aSender, ledgerOf, type Sender } from '../support/sender.ts';
import { byLevel } from '../support/test-level.ts';
import { startWorld } from '../support/world.ts';

const priceCents = 221;

/** A letter of a storm: its price, and the id, of either kind, under which it may come again. */
type Order = { copies: 1 | 2; externalId: string | null; idempotencyKey: string | null };

const anOrder: fc.Arbitrary<Order> = fc.record({
  copies: fc.constantFrom(1, 2),
  // Few, so that many are repeats, with the same and with other payloads.
  externalId: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 2 }),
  idempotencyKey: fc.option(fc.constantFrom('x', 'y'), { freq: 2 }),
});

describe('sends that share a transaction', () => {
  const world = startWorld();

  const post = async (sender: Sender, { copies, externalId, idempotencyKey }: Order): Promise<Answer> => {
    const recipients = Array.from({ length: copies }, () => aPostalAddress());
    const headers = idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey };
    return await sender.send({ recipients, externalId }, headers as Record<string, string>);
  };

  /** Whether the answers of one wallet are those of some order of its requests, one after the other. */
  async function expectSerial(sender: Sender, orders: Order[], answers: Answer[]): Promise<void> {
    const jobs = await MailJob.find({ organizationId: sender.organizationId }).lean<MailJobRecord[]>();
    const entries = await ledgerOf(sender);
    const beforeCents = (job: MailJobRecord | undefined) => {
      const entry = entries.find(({ mailJobId }) => mailJobId === job?._id);
      return entry ? entry.balanceAfterCents - entry.amountCents : (entries.at(-1)?.balanceAfterCents ?? 0);
    };
    const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.mailJobId);
    expect(created.sort()).toEqual(jobs.map(({ _id }) => _id).sort());
    for (const [n, { status, body }] of answers.entries()) {
      const { copies, externalId, idempotencyKey } = orders[n]!;
      const twin =
        externalId === null
          ? jobs.find((job) => idempotencyKey !== null && job.idempotencyKey === idempotencyKey)
          : jobs.find((job) => job.externalId === externalId);
      const isSame = twin?.items.length === copies;
      if (status === 200) expect([body.mailJobId, body.payloadMatches]).toEqual([twin?._id, isSame]);
      else if (status === 409) expect([twin !== undefined, isSame, externalId]).toEqual([true, false, null]);
      // The balance only falls: it was too small before its twin was stored, or else at the end.
      else if (status === 402) expect(beforeCents(twin)).toBeLessThan(copies * priceCents);
      else expect(status).toBe(201);
    }
  }

  test('given any letters of two wallets, when they come at once, then the answers are those of some order, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), anOrder), { minLength: 2, maxLength: 30 }),
        fc.integer({ min: 0, max: 12 }),
        async (storm, letters) => {
          const senders = [
            await aSender(world, { balanceCents: letters * priceCents }),
            await aSender(world, { balanceCents: 5 * priceCents + 1 }),
          ] as const;
          const answers = await Promise.all(storm.map(([isFirst, order]) => post(senders[isFirst ? 0 : 1], order)));
          for (const [index, sender] of senders.entries()) {
            const isHis = (_: unknown, n: number) => storm[n]?.[0] === (index === 0);
            const orders = storm.filter(isHis).map(([, order]) => order);
            await expectSerial(sender, orders, answers.filter(isHis));
          }
        },
      ),
      { numRuns: byLevel({ quick: 6, full: 200 }) },
    );
    await expectInvariants();
  }, 120_000);

  test('given an organization whose wallet is gone, when its letter comes among 255 others, then it alone fails', async () => {
    // given
    const [poisoned, ...senders] = await Promise.all(Array.from({ length: 6 }, () => aSender(world)));
    const { organizationId } = poisoned!;
    const wallets = await Wallet.find({ organizationId }).lean();
    await Wallet.deleteMany({ organizationId });
    const letters = Array.from({ length: 256 }, (_, n) => (n === 100 ? poisoned! : senders[n % 5]!));
    // when
    const answers = await Promise.all(letters.map((sender) => sender.send()));
    // then
    const statuses = answers.map(({ status }) => status);
    expect([statuses[100], statuses.filter((status) => status === 201).length]).toEqual([500, 255]);
    expect(await MailJob.countDocuments({ organizationId })).toBe(0);
    await Wallet.insertMany(wallets);
    await expectInvariants();
  }, 60_000);

  test('given letters that share a transaction, when their events are written, then each says when its own letter was queued', async () => {
    const sender = await aSender(world);
    const answers = await Promise.all(Array.from({ length: 60 }, () => sender.send()));
    const queuedAt = new Map(answers.map(({ body }) => [body.mailJobId, body.queuedAt]));
    const events = await Event.find({ organizationId: sender.organizationId }).lean();
    expect(events).toHaveLength(60);
    const reported = events.map(({ body }) => JSON.parse(body));
    expect(reported.filter((event) => event.queuedAt !== queuedAt.get(event.mailJobId))).toEqual([]);
  });

  test('given fresh uploads, when letters use them at once, then each is remembered with its ETag and kept', async () => {
    const sender = await aSender(world);
    const keys = await Promise.all(Array.from({ length: 8 }, async () => await upload(sender, await aPdf())));
    const answers = await Promise.all([...keys, ...keys].map((s3Key) => sender.send({ files: [{ s3Key }] })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    for (const upload of await Upload.find({ _id: { $in: keys } }).lean()) {
      expect(upload.etag).toBe((await world.store.head(upload._id))?.etag);
      expect(upload.neededUntil?.getTime()).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000);
    }
    const { files } = (await MailJob.findById(answers[0]?.body.mailJobId).orFail().lean<MailJobRecord>())!;
    expect(files[0]?.etag).toBe((await world.store.head(keys[0]!))?.etag);
  });

  test('given letters of every fate, when they are over, then the metrics have counted them', async () => {
    // given
    const [debits] = mailCommitMetrics;
    const count = async (result: string) => {
      const { values } = await debits!.get();
      return values.find(({ labels }) => (labels as { result?: string }).result === result)?.value ?? 0;
    };
    const results = ['debited', 'repeat', 'insufficient_funds'];
    const before = await Promise.all(results.map(count));
    const sender = await aSender(world, { balanceCents: 3 * priceCents });
    // when
    for (let n = 0; n < 4; n += 1) await sender.send();
    await Promise.all([1, 2].map(() => sender.send({ externalId: 'poor' })));
    // then
    const after = await Promise.all(results.map(count));
    expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([3, 0, 3]);
  });
});
