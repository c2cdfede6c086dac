// Level: push
import mongoose from 'mongoose';
import { newId } from '#common/ids.ts';
import { pingWebhook } from '#common/mail-jobs/events/ping-webhook.ts';
import { reconcileChore } from '#common/operations/reconcile.ts';
import { Chore, type ChoreRecord, choreWork, planChore, readLastRun } from '#common/platform/due-work/chore.model.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { redeliver } from '#common/webhooks/console/redeliver.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { findForgotten } from '#common/webhooks/deliveries/wake-forgotten.ts';
import { deliveryWork, Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';
import { cleanupWorker, forgottenChore, wakeForgottenEndpoints } from '#workers/cleanup/cleanup.worker.ts';

describe('forgotten endpoints', () => {
  const scene = startWebhookScene();
  const { world } = scene;
  const never = new AbortController().signal;

  const find = async () =>
    (await Array.fromAsync(findForgotten(scene.clock.now()))).map(({ endpointId }) => endpointId);
  /** Removes the due time, as if a process had died before it made the endpoint due. */
  const forget = () => Endpoint.updateOne({ _id: scene.webhookId }, { $unset: { due: '' } });
  const runCheck = async () => {
    const { clock, dispatcher } = scene;
    await wakeForgottenEndpoints({ clock, log: world.log, metrics: dispatcher.metrics }, never);
  };

  const pending = ['due', 'sending'] as const;
  test.each(pending)('the hourly check wakes an endpoint with a delivery that is %s', async (state) => {
    await scene.store(1);
    await Delivery.updateMany({ webhookId: scene.webhookId }, { state, leaseToken: state === 'due' ? null : 'gone' });
    expect(await find()).toEqual([]);
    await forget();
    // Too recent: its process may be about to wake the endpoint.
    expect(await find()).toEqual([]);
    scene.clock.advance(60_000);
    expect(await find()).toEqual([scene.webhookId]);
    await runCheck();
    expect(await find()).toEqual([]);
    expect(await scene.dispatcher.read('endpoints_forgotten_total')).toBe(1);
    await scene.dispatcher.send(scene.webhookId);
    expect(scene.receiver.received).toHaveLength(1);
    expect(await Endpoint.findById(scene.webhookId).lean()).not.toHaveProperty('due');
  });

  const kinds = ['ping', 'redelivery'];
  test.each(kinds)('a %s whose process died before the endpoint was due is sent after the check', async (kind) => {
    await scene.store(1);
    await scene.dispatcher.send(scene.webhookId);
    const { _id } = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean();
    const hints: Hints = { ...world.hints, notify: () => {} };
    if (kind === 'ping') await pingWebhook(scene.customer, scene.webhookId, { hints }, scene.clock.now());
    else await redeliver(scene.customer, scene.webhookId, _id, { hints }, scene.clock.now());
    await Endpoint.deleteOne({ _id: scene.webhookId });
    scene.clock.advance(60_000);
    expect(await claimDue(deliveryWork, scene.webhookId, scene.clock.now())).toBeNull();
    await runCheck();
    await scene.dispatcher.send(scene.webhookId);
    expect(scene.receiver.received).toHaveLength(2);
  });

  test('the check reads a few index entries per endpoint, whatever its history', async () => {
    await scene.store(1);
    const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean<DeliveryRecord>();
    await forget();
    const history = Array.from({ length: 2_000 }, (_, index) => {
      const endpointId = index % 4 === 0 ? scene.webhookId : `idle-${index % 4}`;
      const state = index % 4 === 0 ? ('due' as const) : ('delivered' as const);
      return { ...row, _id: newId('whd'), eventId: newId('evt'), endpointId, state };
    });
    await rowsOf<DeliveryRecord>(Delivery).insertMany(history);
    scene.clock.advance(60_000);
    await startProfiling();
    expect(await find()).toContain(scene.webhookId);
    const profiled = await stopProfiling();
    const ours = profiled.filter(({ ns }) => ns === `${mongoose.connection.name}.${Delivery.collection.name}`);
    expect(ours.map(({ planSummary }) => planSummary)).toEqual(ours.map(() => expect.stringMatching(/^DISTINCT_SCAN/)));
    const endpointCount = (await Delivery.distinct('endpointId')).length;
    const sum = (field: 'docsExamined' | 'keysExamined') => ours.reduce((total, one) => total + (one[field] ?? 0), 0);
    expect(sum('docsExamined')).toBeLessThanOrEqual(3 * endpointCount);
    expect(sum('keysExamined')).toBeLessThanOrEqual(10 * endpointCount);
  });

  test('the check reads 1,000 endpoints per query and finds every forgotten one', async () => {
    await scene.store(1);
    const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean<DeliveryRecord>();
    const endpointIds = Array.from({ length: 4_000 }, () => newId('wh'));
    const forgotten = new Set(endpointIds.filter((_, index) => index % 500 === 0));
    await rowsOf<DeliveryRecord>(Delivery).insertMany(
      endpointIds.map((endpointId) => {
        const state = forgotten.has(endpointId) ? ('due' as const) : ('delivered' as const);
        return { ...row, _id: newId('whd'), eventId: newId('evt'), endpointId, state };
      }),
    );
    scene.clock.advance(60_000);
    const { length: earlier } = await stopProfiling();
    await startProfiling();
    const found = new Set(await find());
    const profiled = (await stopProfiling()).slice(earlier);
    expect(found.intersection(new Set(endpointIds))).toEqual(forgotten);
    const ours = profiled.filter(({ ns }) => ns === `${mongoose.connection.name}.${Delivery.collection.name}`);
    const [list, ...lookUps] = ours.filter(({ op }) => op === 'command');
    const endpointCount = (await Delivery.distinct('endpointId')).length;
    expect(list?.keysExamined).toBeLessThanOrEqual(endpointCount);
    expect(lookUps).toHaveLength(Math.ceil(endpointCount / 1_000));
    expect(Math.max(...lookUps.map(({ keysExamined }) => keysExamined ?? Number.NaN))).toBeLessThanOrEqual(3 * 1_000);
    await Delivery.deleteMany({ endpointId: { $in: endpointIds } });
  });

  test('a failed wake-up is reported and does not prevent the check of the ledger', async () => {
    await scene.store(1);
    await forget();
    scene.clock.advance(60_000);
    const { signal } = new AbortController();
    const deps = { ...world.workersOptions, clock: scene.clock, metrics: scene.dispatcher.metrics };
    const runChore = async (name: string) => {
      await planChore(name, scene.clock.now());
      const claim = await claimDue<ChoreRecord>(choreWork, name, scene.clock.now());
      await cleanupWorker(deps).run(claim!, { closing: signal, signal, log: world.log });
    };
    const setValidator = (validator: object) => mongoose.connection.db?.command({ collMod: 'endpoints', validator });
    await setValidator({ never: true });
    try {
      await expect(runChore(forgottenChore)).rejects.toThrow('Document failed validation');
      await runChore(reconcileChore);
      expect(await readLastRun(reconcileChore)).toEqual({ at: scene.clock.now(), count: 0 });
    } finally {
      await setValidator({});
    }
    await Chore.updateOne({ _id: forgottenChore }, { $unset: { due: '' } });
    await runChore(forgottenChore);
    expect(await find()).toEqual([]);
  });
});
