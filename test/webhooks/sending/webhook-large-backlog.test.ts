import { newId } from '#common/ids.ts';
import { changeWebhook } from '#common/webhooks/console/change-webhook.ts';
import { deleteWebhook } from '#common/webhooks/console/delete-webhook.ts';
import { redeliverFailed } from '#common/webhooks/console/redeliver.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { discardBatchSize } from '#common/webhooks/deliveries/discard-ended.ts';
import { Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { byLevel, describe, expect, test, timed } from '#test/support/jest.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';
import { anyTarget, startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

// Alone at the full level: it bounds time or memory.

const waiting = byLevel({ quick: 50_000, full: 400_000 });
const rowsAtOnce = 10_000;
/** Half a second for the writes and two seconds for posts in flight. */
const answerMs = 2_500;

describe('a webhook with a very large backlog', () => {
  const scene = startWebhookScene();
  const { world } = scene;

  /** Stores one delivery by fan-out and `count` copies of it. */
  async function storeMany(count: number): Promise<DeliveryRecord> {
    await scene.store(1);
    const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean<DeliveryRecord>();
    for (let stored = 1; stored < count; stored += rowsAtOnce) {
      const rows = Array.from({ length: Math.min(rowsAtOnce, count - stored) }, () => {
        return { ...row, _id: newId('whd'), eventId: newId('evt') };
      });
      await Delivery.collection.insertMany(rows as never[], { ordered: false });
    }
    return row;
  }
  const change = (patch: Parameters<typeof changeWebhook>[2]) =>
    changeWebhook(scene.customer, scene.webhookId, patch, anyTarget, scene.clock.now());
  const isDue = async () => {
    const endpoint = await Endpoint.findById(scene.webhookId).lean<EndpointRecord>();
    return endpoint?.due !== undefined && endpoint.due.at <= scene.clock.now();
  };

  test.each(['deleted', 'disabled'])(
    'being %s is answered within 2.5 s, and workers discard what waits',
    async (what) => {
      await storeMany(waiting);
      const end = () =>
        what === 'deleted'
          ? deleteWebhook(scene.customer, scene.webhookId, scene.clock.now())
          : change({ status: 'disabled' });
      expect(await timed(end)).toBeLessThan(answerMs);
      expect(await scene.count('discarded')).toBeLessThanOrEqual(discardBatchSize);
      expect(await isDue()).toBe(true);
      await scene.sendAll();
      expect(await scene.counts()).toEqual({ discarded: waiting });
      expect(scene.receiver.received).toEqual([]);
      expect(await Endpoint.findById(scene.webhookId).lean()).not.toHaveProperty('due');
    },
  );

  test('a change of the URL returns within 2.5 s and applies to pending deliveries', async () => {
    const row = await storeMany(waiting);
    const next = await openReceiver();
    const stopped = new AbortController();
    next.answerWith(() => {
      if (next.received.length >= 20) stopped.abort();
      return 200;
    });
    expect(await timed(() => change({ url: next.url }))).toBeLessThan(answerMs);
    expect(await Delivery.countDocuments({ endpointId: scene.webhookId, url: row.url })).toBe(waiting);
    await scene.dispatcher.send(scene.webhookId, { closing: stopped.signal });
    expect(next.received.length).toBeGreaterThanOrEqual(20);
    expect(scene.receiver.received).toEqual([]);
    await next.close();
  });

  test('a worker that stops while it discards leaves the rest to the next worker', async () => {
    const total = 3 * discardBatchSize;
    await storeMany(total);
    await change({ status: 'disabled' });
    await scene.dispatcher.send(scene.webhookId, { closing: AbortSignal.abort() });
    expect(await scene.count('due')).toBeGreaterThan(0);
    expect(await isDue()).toBe(true);
    await scene.sendAll();
    expect(await scene.count('discarded')).toBe(total);
  });

  test('a webhook re-enabled during discarding gets only new events', async () => {
    const total = 3 * discardBatchSize;
    await storeMany(total);
    await change({ status: 'disabled' });
    await change({ status: 'active' });
    const fresh = await scene.store(3);
    expect(await scene.count('due')).toBeGreaterThan(3);
    await scene.sendAll();
    expect(scene.receiver.received.map(({ body }) => body.mailJobId).sort()).toEqual([...fresh].sort());
    expect(await scene.counts()).toEqual({ discarded: total, delivered: 3 });
  });

  test('a bulk retry during discarding reports that there is more', async () => {
    const total = 3 * discardBatchSize;
    const since = scene.clock.now();
    await storeMany(total);
    await change({ status: 'disabled' });
    await change({ status: 'active' });
    let redelivered = 0;
    let hasMore = true;
    for (let request = 0; hasMore && request < total; request += 1) {
      const result = await redeliverFailed(scene.customer, scene.webhookId, since, world, scene.clock.now());
      redelivered += result.redelivered;
      hasMore = result.hasMore;
    }
    expect(redelivered).toBe(total);
    expect(await scene.count('due')).toBe(total);
  });
});
