// Level: push
import mongoose from 'mongoose';
import { Registry } from 'prom-client';
import { plusMs, systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config/config.ts';
import { newId } from '#common/ids.ts';
import { stepWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { type DueSlot, newDue } from '#common/platform/due-work/due-work.ts';
import { createLog } from '#common/platform/process/log.ts';
import { clockWork } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { openResources } from '#workers/process/open-resources.ts';
import { startScanner } from '#workers/scanner/scanner.ts';
import { startWorker } from '#workers/worker.ts';
import { describe, eventually, expect, standingClock, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { useStandingTime } from '../support/standing-time.ts';
import { openReceiver } from '../support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, createTestDispatcher, storeEvents } from '../support/webhooks/webhook-scene.ts';

const world = startWorld({ hasTariffs: false });

describe('the queue metrics', () => {
  const { run, advance } = useStandingTime();

  function openWith(environment: Record<string, string>) {
    const registry = new Registry();
    const config = readConfig({ ...world.environment, ...environment });
    return { registry, ...openResources(config, world.clock, createLog('test', 'silent'), registry) };
  }

  test('messages are counted by queue and state', async () => {
    const { registry, scannerHints, scanState, close } = openWith({});
    const hints = [
      { queue: 'webhook-delivery' as const, id: 'wh_1', delayMs: 0 },
      { queue: 'webhook-delivery' as const, id: 'wh_2', delayMs: 0 },
      { queue: 'render' as const, id: 'mj_1', delayMs: 60_000 },
    ];
    await eventually(() => scannerHints.add(hints));
    expect(await registry.metrics()).not.toContain('bullmq_jobs{');
    scanState.isScanning = true;
    const text = await registry.metrics();
    for (const [queue, state, count] of [
      ['webhook-delivery', 'waiting', 2],
      ['webhook-delivery', 'active', 0],
      ['render', 'delayed', 1],
      ['render', 'waiting', 0],
      ['fan-out', 'failed', 0],
    ]) {
      expect(text).toContain(`bullmq_jobs{queue="${queue}",state="${state}"} ${count}\n`);
    }
    await close();
  });

  test('without Redis all other metrics are served after a wait of 2 s', async () => {
    const { registry, scanState, close } = openWith({ REDIS_URL: 'redis://127.0.0.1:1' });
    scanState.isScanning = true;
    const served = run(() => registry.metrics());
    await advance(2_000);
    const text = await served;
    expect(text).toContain('worker_last_pick_age_seconds');
    expect(text).not.toContain('bullmq_jobs{');
    await close();
  });
});

describe('the age of due work', () => {
  const ages = (text: string) => [...text.matchAll(/^work_oldest_due_seconds\{queue="([\w-]+)"\} ([\d.]+)$/gm)];

  test('only the process that scans reports it, and claimed work does not count', async () => {
    const clock = standingClock();
    const slots = [stepWork, clockWork];
    const processes = [0, 1].map(() => {
      const registry = new Registry();
      const config = readConfig(world.environment);
      const resources = openResources(config, clock, createLog('test', 'silent'), registry);
      const { scannerHints: hints, bulkRedis: redis } = resources;
      const scanner = startScanner({ ...resources, slots, hints, redis });
      return { registry, close: () => scanner.close().then(resources.close) };
    });
    const storeDue = async ({ collection, path }: DueSlot, ageS: number, lease: object = {}) => {
      const due = { ...newDue(plusMs(clock.now(), -ageS * 1_000)), ...lease };
      await mongoose.connection
        .collection<{ _id: string }>(collection)
        .updateOne({ _id: newId('mj') }, { $set: { [path]: due } }, { upsert: true });
    };
    await storeDue(stepWork, 40);
    await storeDue(stepWork, 70);
    await storeDue(stepWork, 90, { leaseToken: 'x', leaseUntil: plusMs(systemClock.now(), 600_000) });
    const read = () => Promise.all(processes.map(async ({ registry }) => ages(await registry.metrics())));
    const values = async () => (await read()).flat().map(([, queue, age]) => [queue, age]);
    const expected = [
      [stepWork.queue, '70'],
      [clockWork.queue, '0'],
    ];
    await eventually(async () => expect(await values()).toEqual(expected));
    const haveScanned = async () => {
      const texts = await Promise.all(processes.map(({ registry }) => registry.metrics()));
      return texts.map((text) => /^scanner_last_tick_timestamp_seconds [1-9]/m.test(text)).sort();
    };
    await eventually(async () => expect(await haveScanned()).toEqual([false, true]));
    for (const { close } of processes) await close();
    expect(await values()).toEqual([]);
  });
});

test('work that throws is counted by its queue, from zero on', async () => {
  const registry = new Registry();
  const config = readConfig(world.environment);
  const { close, ...resources } = openResources(config, systemClock, createLog('test', 'silent'), registry);
  const failures = async () => /^work_failures_total\{queue="render"\} (\d+)$/m.exec(await registry.metrics())?.[1];
  expect(await failures()).toBe('0');
  let runs = 0;
  const handle = () => {
    runs += 1;
    return Promise.reject(new Error('broken'));
  };
  const worker = startWorker({ queue: 'render', concurrency: 1, handle }, resources);
  // A message that Redis stores without answering in time is sent again.
  await eventually(() => resources.hints.add([{ queue: 'render', id: 'mj_1', delayMs: 0 }]));
  await eventually(() => expect(runs).toBeGreaterThan(0));
  await worker.close();
  expect(await failures()).toBe(String(runs));
  await close();
});

describe('delivery metrics', () => {
  test('all exist from the start of a worker process', async () => {
    const registry = new Registry();
    const config = readConfig(world.environment);
    const { close } = openResources(config, world.clock, createLog('test', 'silent'), registry);
    const text = await registry.metrics();
    const names = [
      'deliveries_total',
      'delivery_lag_seconds',
      'delivery_due_backlog',
      'delivery_oldest_due_seconds',
      'endpoint_breaker_open',
      'endpoints_disabled_total',
      'endpoints_forgotten_total',
      'inflight_webhooks',
      'ssrf_blocked_total',
      'worker_last_pick_age_seconds',
      'worker_stalled_total',
      'scanner_tick_seconds',
    ];
    for (const name of names) expect(text).toContain(`# TYPE ${name} `);
    expect(text).toContain('ssrf_blocked_total{reason="address"} 0');
    await close();
  });

  test('count the backlog, successes and retries exactly', async () => {
    const clock = standingClock();
    const dispatcher = createTestDispatcher(world, clock);
    const receiver = await openReceiver();
    receiver.answerWith(({ raw }) => (raw.includes('fails') ? 503 : 200));
    const owner = anOwner();
    const webhookId = await aWebhookAt(world, owner, receiver.url);
    await storeEvents(owner, 2, clock.now());
    await storeEvents(owner, 1, clock.now(), { body: JSON.stringify({ mailJobId: 'fails' }) });
    await dispatcher.fanOut();
    clock.advance(2_000);
    expect(await dispatcher.read('delivery_due_backlog')).toBe(3);
    expect(await dispatcher.read('delivery_oldest_due_seconds')).toBe(2);
    await dispatcher.send(webhookId);
    expect(await dispatcher.read('deliveries_total', { result: 'delivered', error_class: 'none' })).toBe(2);
    expect(await dispatcher.read('deliveries_total', { result: 'retry', error_class: '5xx' })).toBe(1);
    expect(await dispatcher.read('inflight_webhooks')).toBe(0);
    await dispatcher.close();
    await receiver.close();
  });

  test('a first attempt counts from when its endpoint could take it, and a retry not at all', async () => {
    const clock = standingClock();
    const dispatcher = createTestDispatcher(world, clock);
    const receiver = await openReceiver();
    const owner = anOwner();
    const webhookId = await aWebhookAt(world, owner, receiver.url);
    const observed = async () => {
      const text = await dispatcher.metricsText();
      return ['count', 'sum'].map((what) =>
        Number(new RegExp(`^delivery_first_attempt_seconds_${what} (.+)$`, 'm').exec(text)?.[1]),
      );
    };
    receiver.answerWith(() => 503);
    await storeEvents(owner, 1, clock.now());
    clock.advance(2_000);
    await dispatcher.fanOut();
    clock.advance(1_000);
    await dispatcher.send(webhookId);
    expect(await observed()).toEqual([1, 3]);
    clock.advance(600_000);
    await dispatcher.send(webhookId);
    expect(await observed()).toEqual([1, 3]);
    // A pause is the receiver's.
    await Endpoint.updateOne({ _id: webhookId }, { $set: { 'health.pausedUntil': plusMs(clock.now(), 60_000) } });
    await Endpoint.updateOne({ _id: webhookId }, { $unset: { due: '' } });
    await storeEvents(owner, 1, clock.now());
    await dispatcher.fanOut();
    clock.advance(65_000);
    await dispatcher.send(webhookId);
    expect(await observed()).toEqual([2, 8]);
    await dispatcher.close();
    await receiver.close();
  });
});
