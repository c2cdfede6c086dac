// Level: push
import fc from 'fast-check';
import type { Counter } from 'prom-client';
import { Event } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { SendRequest } from '#common/mail-jobs/model/send-request.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { Wallet } from '#common/wallet/ledger/wallet.model.ts';
import { byLevel, describe, expect, test } from '#test/support/jest.ts';
import {
  type Answer,
  aPdf,
  aPostalAddress,
  aSender,
  ledgerOf,
  type Sender,
  upload,
} from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';

const priceCents = 221;
/** A generated letter: its number of copies determines the price, its ids may repeat. */
type GeneratedLetter = { copies: 1 | 2; externalId: string | null; idempotencyKey: string | null };

const aGeneratedLetter: fc.Arbitrary<GeneratedLetter> = fc.record({
  copies: fc.constantFrom(1, 2),
  // Few ids, to generate many repeats with the same and with different payloads.
  externalId: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 2 }),
  idempotencyKey: fc.option(fc.constantFrom('x', 'y'), { freq: 2 }),
});

/** Letters beside one that cannot be paid. */
const otherLetters = byLevel({ quick: 63, full: 255 });

/** Most sends that may wait for a commit. */
const maxWaiting = 2_000;

/** Commits wait for the blocking task for 1 s only. A slow machine may need that second to queue the sends. */
const maxRounds = 5;

const world = startWorld();

describe('sends that share a transaction', () => {
  const post = async (sender: Sender, { copies, externalId, idempotencyKey }: GeneratedLetter): Promise<Answer> => {
    const recipients = Array.from({ length: copies }, () => aPostalAddress());
    const headers = idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey };
    return await sender.send({ recipients, externalId }, headers as Record<string, string>);
  };

  /** Checks that the answers of one wallet equal some serial order of its requests. */
  async function expectSerial(sender: Sender, generated: GeneratedLetter[], answers: Answer[]): Promise<void> {
    const jobs = await MailJob.find({ organizationId: sender.organizationId }).lean<MailJobRecord[]>();
    const entries = await ledgerOf(sender);
    const beforeCents = (job: MailJobRecord | undefined) => {
      const entry = entries.find(({ mailJobId }) => mailJobId === job?._id);
      return entry ? entry.balanceAfterCents - entry.amountCents : (entries.at(-1)?.balanceAfterCents ?? 0);
    };
    const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.mailJobId);
    expect(created.sort()).toEqual(jobs.map(({ _id }) => _id).sort());
    const keyOf = ({ externalId, idempotencyKey }: GeneratedLetter) => externalId ?? idempotencyKey ?? [];
    const firsts = answers.flatMap(({ status }, n) => (status === 201 ? keyOf(generated[n]!) : []));
    expect(firsts).toEqual([...new Set(firsts)]);
    for (const [n, { status, body }] of answers.entries()) {
      const { copies, externalId, idempotencyKey } = generated[n]!;
      const twin =
        externalId === null
          ? jobs.find((job) => idempotencyKey !== null && job.idempotencyKey === idempotencyKey)
          : jobs.find((job) => job.externalId === externalId);
      const isSame = twin?.items.length === copies;
      if (status === 200) expect([body.mailJobId, body.payloadMatches]).toEqual([twin?._id, isSame]);
      else if (status === 409) expect([twin !== undefined, isSame, externalId]).toEqual([true, false, null]);
      // The balance only falls: it was too low before the twin was stored, or at the end if there is none.
      else if (status === 402) expect(beforeCents(twin)).toBeLessThan(copies * priceCents);
      else expect(status).toBe(201);
    }
  }

  test('the answers to concurrent letters of two wallets equal some serial order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), aGeneratedLetter), { minLength: 2, maxLength: 30 }),
        fc.integer({ min: 0, max: 12 }),
        async (storm, letters) => {
          const senders = [
            await aSender(world, { balanceCents: letters * priceCents }),
            await aSender(world, { balanceCents: 5 * priceCents + 1 }),
          ] as const;
          const answers = await Promise.all(
            storm.map(([isFirst, generated]) => post(senders[isFirst ? 0 : 1], generated)),
          );
          for (const [index, sender] of senders.entries()) {
            const isFromSender = (_: unknown, n: number) => storm[n]?.[0] === (index === 0);
            const generated = storm.filter(isFromSender).map(([, letter]) => letter);
            await expectSerial(sender, generated, answers.filter(isFromSender));
          }
        },
      ),
      { numRuns: byLevel({ quick: 3, full: 20, long: 200 }) },
    );
    await expectInvariants();
  });

  test(`one letter without a wallet fails alone among ${otherLetters} others`, async () => {
    const [poisoned, ...senders] = await Promise.all(Array.from({ length: 6 }, () => aSender(world)));
    const { organizationId } = poisoned!;
    const wallets = await Wallet.find({ organizationId }).lean();
    await Wallet.deleteMany({ organizationId });
    const letters = Array.from({ length: otherLetters + 1 }, (_, n) => (n === 40 ? poisoned! : senders[n % 5]!));
    const answers = await Promise.all(letters.map((sender) => untilAnswered(() => sender.send())));
    const statuses = answers.map(({ status }) => status);
    expect([statuses[40], statuses.filter((status) => status === 201).length]).toEqual([500, otherLetters]);
    expect(await MailJob.countDocuments({ organizationId })).toBe(0);
    await Wallet.insertMany(wallets);
    await expectInvariants();
  });

  test('each event has the queuedAt of its own letter', async () => {
    const sender = await aSender(world);
    const answers = await Promise.all(Array.from({ length: 30 }, () => untilAnswered(() => sender.send())));
    const queuedAt = new Map(answers.map(({ body }) => [body.mailJobId, body.queuedAt]));
    const events = await Event.find({ organizationId: sender.organizationId }).lean();
    expect(events).toHaveLength(30);
    const reported = events.map(({ body }) => JSON.parse(body));
    expect(reported.filter((event) => event.queuedAt !== queuedAt.get(event.mailJobId))).toEqual([]);
  });

  test('new uploads used by concurrent letters are stored with their ETag and retained', async () => {
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

  test('metrics count debits, repeats and refusals for insufficient funds', async () => {
    const debits = world.registry.getSingleMetric('wallet_debits_total') as Counter<'result'>;
    const count = async (result: string) => {
      const { values } = await debits.get();
      return values.find(({ labels }) => labels.result === result)?.value ?? 0;
    };
    const results = ['debited', 'repeat', 'insufficient_funds'];
    const before = await Promise.all(results.map(count));
    const sender = await aSender(world, { balanceCents: 3 * priceCents });
    for (let n = 0; n < 4; n += 1) await sender.send();
    await Promise.all([1, 2].map(() => sender.send({ externalId: 'poor' })));
    const after = await Promise.all(results.map(count));
    expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([3, 0, 3]);
  });
});

describe('sends beyond the queue limit', () => {
  test('a send behind 2,000 waiting ones gets 503 with Retry-After and has no effect', async () => {
    const sender = await aSender(world);
    const { mailCommitter, requestSigner } = world.services;
    const { organizationId, mode } = sender;
    const first = await sender.send({ externalId: 'first' });
    const job = await MailJob.findById(first.body.mailJobId).orFail().lean<MailJobRecord>();
    const body = (await sender.letter({ externalId: 'first' })) as SendRequest['body'];
    const credential = { id: sender.keyId, scopes: [] };
    const repeat = {
      job,
      uploads: [],
      sendRequest: {
        ...{ body, idempotencyKey: null, owner: { organizationId, mode }, credential },
        ...{ requestHashes: [], requestSigner },
      },
    };
    let answer: Answer | undefined;
    for (let round = 0; round < maxRounds && answer?.status !== 503; round += 1) {
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const holding = mailCommitter.runExclusive(() => held);
      const waiting = Array.from({ length: maxWaiting }, () => mailCommitter.commit(repeat));
      answer = await sender.send({ externalId: `late-${round}` });
      letGo();
      await holding;
      const created = (await Promise.all(waiting)).map(({ created: { job: found, isNew } }) => `${found._id} ${isNew}`);
      expect(new Set(created)).toEqual(new Set([`${job._id} false`]));
    }
    expect([answer?.status, answer?.body.code, answer?.headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ]);
    expect(await MailJob.exists({ organizationId, externalId: /^late-/ })).toBeNull();
    expect((await sender.send({ externalId: 'late-again' })).status).toBe(201);
    await expectInvariants();
  });
});
