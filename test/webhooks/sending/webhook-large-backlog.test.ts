// Level: push
import { newId } from '#common/ids.ts';
import { changeWebhook } from '#common/webhooks/console/change-webhook.ts';
import { deleteWebhook } from '#common/webhooks/console/delete-webhook.ts';
import { redeliverFailed } from '#common/webhooks/console/redeliver.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { discardBatchSize } from '#common/webhooks/deliveries/discard-ended.ts';
import { Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { type Profiled, startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';
import { anyTarget, startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

const waiting = 3 * discardBatchSize;

describe('a webhook with a very large backlog', () => {
  const scene = startWebhookScene();
  const { world } = scene;

  /** Stores one delivery by fan-out and `count` copies of it. */
  async function storeMany(count: number): Promise<DeliveryRecord> {
    await scene.store(1);
    const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean<DeliveryRecord>();
    const copies = Array.from({ length: count - 1 }, () => ({ ...row, _id: newId('whd'), eventId: newId('evt') }));
    await Delivery.collection.insertMany(copies as never[], { ordered: false });
    return row;
  }
  /** Returns the most rows that one command of `work` read. */
  async function mostRead(work: () => Promise<unknown>): Promise<number> {
    await startProfiling();
    const startedAt = new Date();
    await work();
    const profiled = (await stopProfiling()) as (Profiled & { ts: Date })[];
    const ours = profiled.filter(({ ns, ts }) => ts >= startedAt && !ns.endsWith('system.profile'));
    expect(ours).not.toEqual([]);
    // For each of a list of ids, the index is looked at twice.
    return Math.max(...ours.map(({ docsExamined = 0, keysExamined = 0 }) => Math.max(docsExamined, keysExamined / 2)));
  }
  const change = (patch: Parameters<typeof changeWebhook>[2]) =>
    changeWebhook(scene.customer, scene.webhookId, patch, anyTarget, scene.clock.now());
  const isDue = async () => {
    const endpoint = await Endpoint.findById(scene.webhookId).lean<EndpointRecord>();
    return endpoint?.due !== undefined && endpoint.due.at <= scene.clock.now();
  };

  test.each(['deleted', 'disabled'])(
    'being %s reads and discards one batch, and workers discard what else waits',
    async (what) => {
      await storeMany(waiting);
      const end = () =>
        what === 'deleted'
          ? deleteWebhook(scene.customer, scene.webhookId, scene.clock.now())
          : change({ status: 'disabled' });
      expect(await mostRead(end)).toBeLessThanOrEqual(discardBatchSize + 1);
      expect(await scene.count('discarded')).toBeLessThanOrEqual(discardBatchSize);
      expect(await isDue()).toBe(true);
      await scene.sendAll();
      expect(await scene.counts()).toEqual({ discarded: waiting });
      expect(scene.receiver.received).toEqual([]);
      expect(await Endpoint.findById(scene.webhookId).lean()).not.toHaveProperty('due');
    },
  );

  test('a change of the URL reads no pending delivery, and applies to all of them', async () => {
    const row = await storeMany(waiting);
    const next = await openReceiver();
    const stopped = new AbortController();
    next.answerWith(() => {
      if (next.received.length >= 20) stopped.abort();
      return 200;
    });
    expect(await mostRead(() => change({ url: next.url }))).toBeLessThan(20);
    expect(await Delivery.countDocuments({ endpointId: scene.webhookId, url: row.url })).toBe(waiting);
    await scene.dispatcher.send(scene.webhookId, { closing: stopped.signal });
    expect(next.received.length).toBeGreaterThanOrEqual(20);
    expect(scene.receiver.received).toEqual([]);
    await next.close();
  });

  test('a worker that stops while it discards leaves the rest to the next worker', async () => {
    await storeMany(waiting);
    await change({ status: 'disabled' });
    await scene.dispatcher.send(scene.webhookId, { closing: AbortSignal.abort() });
    expect(await scene.count('due')).toBeGreaterThan(0);
    expect(await isDue()).toBe(true);
    await scene.sendAll();
    expect(await scene.count('discarded')).toBe(waiting);
  });

  test('a webhook re-enabled during discarding gets only new events', async () => {
    await storeMany(waiting);
    await change({ status: 'disabled' });
    await change({ status: 'active' });
    const fresh = await scene.store(3);
    expect(await scene.count('due')).toBeGreaterThan(3);
    await scene.sendAll();
    expect(scene.receiver.received.map(({ body }) => body.mailJobId).sort()).toEqual([...fresh].sort());
    expect(await scene.counts()).toEqual({ discarded: waiting, delivered: 3 });
  });

  test('a bulk retry during discarding reports that there is more', async () => {
    const since = scene.clock.now();
    await storeMany(waiting);
    await change({ status: 'disabled' });
    await change({ status: 'active' });
    let redelivered = 0;
    let hasMore = true;
    for (let request = 0; hasMore && request < waiting; request += 1) {
      const result = await redeliverFailed(scene.customer, scene.webhookId, since, world, scene.clock.now());
      redelivered += result.redelivered;
      hasMore = result.hasMore;
    }
    expect(redelivered).toBe(waiting);
    expect(await scene.count('due')).toBe(waiting);
  });
});
