import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { describe, eventually, expect, leastOfThree, test } from '#test/support/jest.ts';
import { aLetter, aPdf, aSender, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';
import { openReceiver, startReceiver } from '#test/support/webhooks/receiver.ts';
import { startWorkers } from '#workers/process/start-workers.ts';

const letters = 30;

const world = startWorld({ hasOwnMongo: true });
const stopFailing = async () => await world.ownMongo?.stopFailing();

describe('a fan-out that throws', () => {
  const receiver = startReceiver();

  test('an event is delivered within 5 s although the database refuses one insert', async () => {
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const workers = await startWorkers(world.workersOptions);
    const deliveredAfterMs = async () => {
      const letter = await aLetter(customer);
      await world.fail({ failCommands: ['insert'], collection: 'deliveries', errorCode: 13 }, 1);
      const startedAt = Date.now();
      const { status, body } = await customer.http.post('/v1/mails', letter);
      expect(status).toBe(201);
      const received = () => receiver.received.filter(({ raw }) => raw.includes(body.mailJobId));
      await eventually(() => expect(received()).toHaveLength(1));
      expect(await stopFailing()).toBe(1);
      return (received()[0]?.at ?? 0) - startedAt;
    };
    expect(await leastOfThree(deliveredAfterMs, 5_000)).toBeLessThan(5_000);
    await workers.close();
  });
});

describe('a slow reader of the ledger', () => {
  test('a failed read-ahead throws when its batch is requested, not before', async () => {
    const customer = await world.customer();
    const { queuePrefix: appName } = world.config.redis;
    await world.fail({ failCommands: ['find'], collection: 'ledger_entries', errorCode: 13 }, { skip: 1 });

    // In a child process, which an unhandled rejection would end.
    const program = join(import.meta.dirname, '../../support/processes/slow-reader.program.ts');
    const run = promisify(execFile)(process.execPath, [program, world.config.mongo.url, appName, walletIdOf(customer)]);
    const { stdout } = await run.finally(stopFailing);

    expect(stdout).toBe('met 13\n');
  });
});

describe('a worker that cannot read whether a webhook is still active', () => {
  test('thirty deliveries are posted once each although the database fails midway', async () => {
    const receiver = await openReceiver();
    receiver.answerWith(() => new Promise((resolve) => void setTimeout(() => resolve(200), 700)));
    const customer = await world.customer();
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const fanOut = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'scanner'] });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letter = await aLetter(customer, { files });
    await Promise.all(Array.from({ length: letters }, () => customer.http.post('/v1/mails', letter)));
    const count = async (state: 'due' | 'delivered') => await Delivery.countDocuments({ webhookId: webhook.id, state });
    await eventually(async () => expect(await count('due')).toBe(letters));
    // The worker reads the webhook for its secret, for its first posts, and half a second later. The last read fails.
    await world.fail({ failCommands: ['find'], collection: 'webhooks', errorCode: 13 }, { skip: 2 });

    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery'] });
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(10));
    await eventually(async () => expect(await count('delivered')).toBeGreaterThanOrEqual(10));
    await stopFailing();

    await eventually(async () => expect(await count('delivered')).toBe(letters));
    const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
    expect([ids.length, new Set(ids).size]).toEqual([letters, letters]);
    await Promise.all([fanOut.close(), sending.close(), receiver.close()]);
  });
});

describe('a commit that is not answered', () => {
  const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
  test.each([
    ['unheard', [503, 503, 503], { closeConnection: true }],
    // The first send is in flight until its time is over, and by then so is that of the sends behind it.
    ['unconfirmed', [201, 503, 503], { writeConcernError }],
  ] as const)('commits that go %s are answered truthfully: %j', async (_how, statuses, fault) => {
    const sender = await aSender(world);
    const letter = await sender.letter();
    const before = await sender.balanceCents();
    await world.fail({ failCommands: ['commitTransaction'], ...fault }, 100_000);

    const answers = Promise.all([1, 2, 3].map(() => sender.http.post('/v1/mails', letter)));
    // Longer than a send may take: the outcome is then read from the database.
    await sleep(5_500);
    // A closed connection makes the driver close others of this process.
    await eventually(stopFailing);

    expect((await answers).map(({ status }) => status).sort()).toEqual(statuses);
    const stored = statuses.filter((status) => status === 201).length;
    const { organizationId } = sender;
    expect(await MailJob.countDocuments({ organizationId })).toBe(stored);
    expect(await Event.countDocuments({ organizationId })).toBe(stored);
    expect(await sender.balanceCents()).toBe(before - stored * 221);
    await expectInvariants();
  });
});

describe('a read whose connection breaks', () => {
  test.each([
    ['once', 1, 200],
    ['twice', 2, 503],
  ])('a read is retried once when the database hangs up %s', async (_, times, status) => {
    const sender = await aSender(world);
    const { body } = await sender.http.post('/v1/mails', await sender.letter());
    await world.fail({ failCommands: ['find'], collection: 'mail_jobs', closeConnection: true }, times);

    const answer = await sender.http.get(`/v1/mails/${body.mailJobId}`);

    await eventually(stopFailing);
    expect(answer.status).toBe(status);
  });
});
