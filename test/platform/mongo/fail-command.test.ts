// Level: ci
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '#common/clock.ts';
import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { describe, eventually, expect, standingClock, test } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { onCommand } from '#test/support/races/on-command.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, createTestDispatcher, storeEvents } from '#test/support/webhooks/webhook-scene.ts';
import { startWorkers } from '#workers/process/start-workers.ts';

const deliveries = 30;

const world = startWorld({ hasOwnMongo: true, isImpatient: true });
const stopFailing = async () => await world.ownMongo?.stopFailing();
/** Removes events of made-up letters, which would violate the invariants. */
const forgetEvents = async ({ organizationId }: Owner) => await Event.deleteMany({ organizationId });

describe('a fan-out that throws', () => {
  test('an event is fanned out a second after the database refused its delivery', async () => {
    const clock = standingClock();
    const dispatcher = createTestDispatcher(world, clock);
    const receiver = await openReceiver();
    const owner = anOwner();
    const webhookId = await aWebhookAt(world, owner, receiver.url);
    await storeEvents(owner, 1, clock.now());
    // In a batch, and then alone.
    await world.fail({ failCommands: ['insert'], collection: 'deliveries', errorCode: 13 }, 2);
    await dispatcher.fanOut();
    expect(await stopFailing()).toBe(2);
    clock.advance(999);
    await dispatcher.fanOut();
    expect(await dispatcher.send(webhookId)).toBe(false);
    clock.advance(1);
    await dispatcher.fanOut();
    await dispatcher.send(webhookId);
    expect(receiver.received).toHaveLength(1);
    await forgetEvents(owner);
    await dispatcher.close();
    await receiver.close();
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
    const owner = anOwner();
    const webhookId = await aWebhookAt(world, owner, receiver.url);
    const dispatcher = createTestDispatcher(world, systemClock);
    await storeEvents(owner, deliveries, new Date());
    await dispatcher.fanOut();
    const count = async (state: 'due' | 'delivered') => await Delivery.countDocuments({ webhookId, state });
    expect(await count('due')).toBe(deliveries);
    // The worker reads the webhook for its secret, for its first posts, and half a second later. The last read fails.
    await world.fail({ failCommands: ['find'], collection: 'webhooks', errorCode: 13 }, { skip: 2 });

    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery', 'scanner'] });
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(10));
    await eventually(async () => expect(await count('delivered')).toBeGreaterThanOrEqual(10));
    await stopFailing();

    await eventually(async () => expect(await count('delivered')).toBe(deliveries));
    const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
    expect([ids.length, new Set(ids).size]).toEqual([deliveries, deliveries]);
    await forgetEvents(owner);
    await Promise.all([dispatcher.close(), sending.close(), receiver.close()]);
  });
});

describe('a commit that is not answered', () => {
  const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
  test.each([
    ['unheard', { closeConnection: true }],
    ['unconfirmed', { writeConcernError }],
  ])('a commit that goes %s is answered truthfully', async (_how, fault) => {
    const sender = await aSender(world);
    const letter = await sender.letter();
    const before = await sender.balanceCents();
    await world.fail({ failCommands: ['commitTransaction'], ...fault }, 100_000);

    // When the time of the commit is over, its outcome is read in a transaction of its own.
    const answer = await onCommand(
      async ({ name, isInTransaction }, run) => {
        // A closed connection makes the driver close others of this process.
        if (isInTransaction && name === 'find mail_jobs') await eventually(stopFailing);
        return await run();
      },
      () => sender.http.post('/v1/mails', letter),
    );

    // Stored by then or by another try, if the time of the send is not over.
    expect([201, 503]).toContain(answer.status);
    const stored = answer.status === 201 ? 1 : 0;
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
