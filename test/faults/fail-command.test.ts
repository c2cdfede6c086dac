import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { walletIdOf } from '../../common/wallet/move-money.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { startWorkers } from '../../workers/start-workers.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { failCommand, failCommits, hangUpOnFinds, stopFailing } from '../support/fail-command.ts';
import { expectInvariants } from '../support/invariants.ts';
import { openReceiver, startReceiver } from '../support/receiver.ts';
import { aSender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const letters = 30;

describe('a processor that throws', () => {
  const world = startWorld({ hasWorkers: true });
  const receiver = startReceiver();

  test('given a database that refuses one insert of the fan-out, when a letter is sent, then its event is delivered within 5 s all the same', async () => {
    // given
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const letter = await aLetter(customer);
    await failCommand({
      appName: world.config.redis.queuePrefix,
      command: 'insert',
      collection: 'deliveries',
      mode: { times: 1 },
    });
    // when
    const startedAt = Date.now();
    expect((await customer.http.post('/v1/mails', letter)).status).toBe(201);
    // then
    await eventually(() => expect(receiver.received).toHaveLength(1), { withinMs: 10_000 });
    expect((receiver.received[0]?.at ?? 0) - startedAt).toBeLessThan(5_000);
    expect(await stopFailing()).toBe(1);
  }, 30_000);
});

describe('a statement whose reader takes his time', () => {
  const world = startWorld();

  test('given a database that refuses what is read ahead, when the reader comes for it, then he hears of it, and nobody before', async () => {
    // given
    const customer = await world.customer();
    const { queuePrefix: appName } = world.config.redis;
    await failCommand({ appName, command: 'find', collection: 'ledger_entries', mode: { skip: 1 } });
    // when
    // In a process of its own: a failure that nobody waits for would end it.
    const program = join(import.meta.dirname, '../support/slow-reader.program.ts');
    const run = promisify(execFile)(process.execPath, [program, world.config.mongo.url, appName, walletIdOf(customer)]);
    const { stdout } = await run.finally(stopFailing);
    // then
    expect(stdout).toBe('met 13\n');
  }, 30_000);
});

describe('a worker that cannot ask whether a webhook is still active', () => {
  const world = startWorld();

  test('given thirty deliveries and a database that stops answering in the middle, when it is back, then each was posted once', async () => {
    // given
    const receiver = await openReceiver();
    receiver.answerWith(() => new Promise((resolve) => void setTimeout(() => resolve(200), 700)));
    const customer = await world.customer();
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const fanOut = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'scanner'] });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letter = await aLetter(customer, { files });
    await Promise.all(Array.from({ length: letters }, () => customer.http.post('/v1/mails', letter)));
    const count = async (state: 'due' | 'delivered') => await Delivery.countDocuments({ webhookId: webhook.id, state });
    await eventually(async () => expect(await count('due')).toBe(letters), { withinMs: 10_000 });
    // The worker reads the webhook for its secret, for its first posts, and again half a second later: that one fails.
    const appName = world.config.redis.queuePrefix;
    await failCommand({ command: 'find', collection: 'webhooks', mode: { skip: 2 }, appName });
    // when
    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery'] });
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(10), { withinMs: 10_000 });
    await eventually(async () => expect(await count('delivered')).toBeGreaterThanOrEqual(10), { withinMs: 10_000 });
    await stopFailing();
    // then
    await eventually(async () => expect(await count('delivered')).toBe(letters), { withinMs: 20_000 });
    const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
    expect([ids.length, new Set(ids).size]).toEqual([letters, letters]);
    await Promise.all([fanOut.close(), sending.close(), receiver.close()]);
  }, 60_000);
});

describe('a commit that is not answered', () => {
  const world = startWorld();

  test.each([
    ['unheard', [503, 503, 503]],
    // The first one's is under way until its time is over, and so is the time of those that wait for it.
    ['unconfirmed', [201, 503, 503]],
  ] as const)(
    'given commits that go %s, when letters are sent, then they are answered %j, and that is the truth',
    async (how, statuses) => {
      // given
      const sender = await aSender(world);
      const letter = await sender.letter();
      const before = await sender.balanceCents();
      await failCommits(world.config.redis.queuePrefix, how);
      // when
      const answers = Promise.all([1, 2, 3].map(() => sender.http.post('/v1/mails', letter)));
      // Longer than a send may take, so that the database is asked what became of it.
      await sleep(5_500);
      // Connections that were hung up on take others of this process with them.
      await eventually(stopFailing, { withinMs: 5_000 });
      // then
      expect((await answers).map(({ status }) => status).sort()).toEqual(statuses);
      const stored = statuses.filter((status) => status === 201).length;
      const { organizationId } = sender;
      expect(await MailJob.countDocuments({ organizationId })).toBe(stored);
      expect(await Event.countDocuments({ organizationId })).toBe(stored);
      expect(await sender.balanceCents()).toBe(before - stored * 221);
      await expectInvariants();
    },
    60_000,
  );
});

describe('a read whose connection breaks', () => {
  const world = startWorld();

  test.each([
    ['once', 1, 200],
    ['twice', 2, 503],
  ])(
    'given a database that hangs up %s, when a letter is read, then it is asked once more',
    async (_, times, status) => {
      // given
      const sender = await aSender(world);
      const { body } = await sender.http.post('/v1/mails', await sender.letter());
      await hangUpOnFinds({ appName: world.config.redis.queuePrefix, collection: 'mail_jobs', times });
      // when
      const answer = await sender.http.get(`/v1/mails/${body.mailJobId}`);
      // then
      await eventually(stopFailing, { withinMs: 5_000 });
      expect(answer.status).toBe(status);
    },
  );
});
