// Level: push
import { plusMs } from '#common/clock.ts';
import type { Mode } from '#common/modes.ts';
import { markHinted, newDue } from '#common/platform/due-work/due-work.ts';
import { Delivery, DeliveryAttempt, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { wakeEndpoints } from '#common/webhooks/endpoints/wake-endpoints.ts';
import { afterAll, beforeAll, describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook, isSignedBy, openReceiver } from '#test/support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, startWebhookScene, storeEvents } from '#test/support/webhooks/webhook-scene.ts';
import { startWorkers } from '#workers/process/start-workers.ts';

const hourS = 3_600;
/** Documented delays after each failure, in seconds. */
const waitsS: Record<Mode, number[]> = {
  live: [5, 300, 1_800, 2 * hourS, 5 * hourS, 10 * hourS, 14 * hourS, 20 * hourS, 24 * hourS],
  test: [5, 60, 300],
};

describe('the attempts of a delivery that always fails', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  test.each(Object.entries(waitsS) as [Mode, number[]][])(
    'in %s mode come at the documented times with the same bytes and new signatures',
    async (mode, waits) => {
      const { receiver, clock, dispatcher } = scene;
      receiver.answerWith(() => 500);
      const customer = await world.customer({ mode });
      const webhook = await addWebhook(customer, { url: receiver.url, events: ['MAIL_QUEUED'] });
      await storeEvents(customer, 1, clock.now());
      await dispatcher.fanOut();
      const delivery = () => Delivery.findOne({ webhookId: webhook.id }).orFail().lean<DeliveryRecord>();
      const sentAt: Date[] = [];
      for (let { nextAttemptAt } = await delivery(); nextAttemptAt; { nextAttemptAt } = await delivery()) {
        clock.set(plusMs(nextAttemptAt, -1));
        expect(await dispatcher.send(webhook.id)).toBe(false);
        clock.set(nextAttemptAt);
        expect(await dispatcher.send(webhook.id)).toBe(true);
        sentAt.push(nextAttemptAt);
      }
      const count = waits.length + 1;
      expect(await delivery()).toMatchObject({ state: 'failed', attempt: count, lastResult: '500' });
      clock.advance(100 * hourS * 1_000);
      expect(await dispatcher.send(webhook.id)).toBe(false);
      const { received } = receiver;
      const header = (name: string) => received.map(({ headers }) => headers[name]);
      expect(header('x-service-attempt')).toEqual(Array.from({ length: count }, (_, n) => String(n + 1)));
      expect(header('webhook-timestamp').map(Number)).toEqual(sentAt.map((at) => Math.floor(at.getTime() / 1_000)));
      expect(new Set(header('x-service-delivery')).size).toBe(1);
      expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
      expect(new Set(header('x-service-signature')).size).toBe(count);
      for (const each of received) expect(isSignedBy(webhook.secret, each)).toBe(true);
      const deliveryId = String(header('x-service-delivery')[0]);
      const attempts = await DeliveryAttempt.find({ deliveryId }).sort({ startedAt: 1 }).lean();
      // The delay starts at the end of an attempt.
      const nextAt = attempts.map(({ startedAt, durationMs }, n) =>
        plusMs(startedAt, durationMs + (waits[n] ?? 0) * 1_000),
      );
      expect(nextAt.slice(0, -1)).toEqual(sentAt.slice(1));
      expect(attempts).toHaveLength(count);
    },
  );
});

describe('first attempts while a retry waits', () => {
  const world = startWorld({ hasTariffs: false });
  // No scanner: it would repeat the hint of an endpoint, later.
  let workers: Awaited<ReturnType<typeof startWorkers>>;
  beforeAll(async () => {
    workers = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'webhook-delivery'] });
  });
  afterAll(() => workers.close());
  const retryInMs = 60_000;
  /** Enough for a batch, whose endpoint gets a hint. */
  const manyEvents = 12;

  test('new events are sent at once although a delayed hint for a retry is queued', async () => {
    const receiver = await openReceiver();
    const owner = anOwner();
    const id = await aWebhookAt(world, owner, receiver.url);
    // After a 503 the next attempt comes a minute later.
    receiver.answerWith(() => 503);
    const fanOut = async (count: number) => {
      const [id = ''] = await storeEvents(owner, count, new Date());
      await world.hints.add([{ queue: 'fan-out', id, delayMs: 0 }]);
    };
    await fanOut(1);
    const due = async () => (await Endpoint.findById(id).lean<EndpointRecord>())?.due;
    const failedOnce = { endpointId: id, state: 'due', attempt: 1 } as const;
    await eventually(async () => expect(await Delivery.exists(failedOnce)).not.toBeNull());
    await eventually(async () => expect((await due())?.leaseToken).toBeNull());
    const hintedAt = new Date();
    const retryAt = plusMs(hintedAt, retryInMs);
    await Delivery.updateMany({ endpointId: id }, { nextAttemptAt: retryAt });
    await Endpoint.updateOne({ _id: id }, { $set: { 'due.at': retryAt } });
    await markHinted(deliveryWork, [id], hintedAt);
    await world.hints.add([{ queue: 'webhook-delivery', id, delayMs: retryInMs }]);
    receiver.answerWith(() => 200);
    await fanOut(manyEvents);
    const firstAttempts = () => receiver.received.filter(({ headers }) => headers['x-service-attempt'] === '1');
    await eventually(() => expect(firstAttempts()).toHaveLength(1 + manyEvents));
    await receiver.close();
  });

  test('an endpoint with a delayed hint gets one immediate hint for a new event', async () => {
    const owner = anOwner();
    const at = new Date();
    const endpoint = { ...owner, endpointId: 'hinted', webhookId: null };
    await Endpoint.create({ _id: 'hinted', ...owner, webhookId: null });
    await Endpoint.updateOne({ _id: 'hinted' }, { $set: { due: newDue(plusMs(at, 60_000)) } });
    await markHinted(deliveryWork, ['hinted'], plusMs(at, -1_000));
    expect(await wakeEndpoints([endpoint], at)).toEqual(['hinted']);
    expect(await wakeEndpoints([endpoint], plusMs(at, 1_000))).toEqual([]);
  });
});
