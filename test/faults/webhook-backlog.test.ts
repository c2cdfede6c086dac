import { readFile } from 'node:fs/promises';
import type { Owner } from '#common/modes.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { findLeaks } from '#scripts/find-log-leaks.ts';
import { afterEach, byLevel, describe, eventually, expect, test } from '../support/jest.ts';
import { killStartedPrograms, type Program, startProductProcess } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';
import { openReceiver, type Receiver } from '../support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, storeEvents } from '../support/webhooks/webhook-scene.ts';

// Alone at the full level: it bounds time or memory.

const size = byLevel({
  quick: { endpoints: 6, each: 40, leaseS: 10, drained: 600 },
  full: { endpoints: 50, each: 100, leaseS: 30, drained: 50_000 },
});
const total = size.endpoints * size.each;
const capPerEndpoint = 10;
const maxMemoryMb = 300;

describe('a backlog over many endpoints', () => {
  const world = startWorld({
    hasTariffs: false,
    hasOwnRedis: true,
    environment: { WORK_LEASE_S: String(size.leaseS), LOG_LEVEL: 'debug' },
  });
  afterEach(killStartedPrograms);

  const startWorkersProcess = () => startProductProcess('workers/main.ts', world.environment);

  /** Creates endpoints with separate organizations and origins at one receiver. */
  async function openEndpoints(receiver: Receiver) {
    const customers: Owner[] = [];
    for (let index = 0; index < size.endpoints; index += 1) {
      const customer = anOwner();
      await aWebhookAt(world, customer, receiver.url.replace('127.0.0.1', `e${index}.localhost`));
      customers.push(customer);
    }
    return customers;
  }
  const storeAll = async (customers: readonly Owner[], each: number) => {
    for (const customer of customers) await storeEvents(customer, each, new Date());
  };
  const deliveryIds = ({ received }: Receiver) => received.map(({ headers }) => String(headers['x-service-delivery']));
  const allArrived = (receiver: Receiver, count: number) =>
    eventually(() => expect(new Set(deliveryIds(receiver)).size).toBe(count));
  const recorded = () =>
    eventually(async () => expect(await Delivery.countDocuments({ state: { $in: ['due', 'sending'] } })).toBe(0));
  const pause = () => new Promise<number>((resolve) => setTimeout(resolve, 20, 200));

  /** Starts two workers on a backlog. Returns once they have sent a fifth of it. */
  async function startBacklog() {
    const receiver = await openReceiver();
    receiver.answerWith(pause);
    const customers = await openEndpoints(receiver);
    const workers = await Promise.all([startWorkersProcess(), startWorkersProcess()]);
    await storeAll(customers, size.each);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(total / 5));
    return { receiver, customers, workers };
  }

  test('all deliveries arrive within 5 s of a Redis flush, without a restart', async () => {
    const { receiver, customers, workers } = await startBacklog();
    await world.ownRedis?.flush();
    const flushedAt = Date.now();
    const before = receiver.received.length;
    await storeAll(customers, 1);
    await allArrived(receiver, total + size.endpoints);
    // Posts in flight continue anyway: check that there is no long gap.
    const times = [flushedAt, ...receiver.received.slice(before).map(({ at }) => at)].sort(
      (left, right) => left - right,
    );
    const pausesMs = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.max(...pausesMs)).toBeLessThan(5_000);
    expect(receiver.received).toHaveLength(total + size.endpoints);
    for (const worker of workers) {
      expect(await Promise.race([worker.ended, 'runs'])).toBe('runs');
      expect(findLeaks(worker.output())).toEqual([]);
    }
    await recorded();
    await receiver.close();
  });

  test('after a kill all arrive once the leases expire, and only posts in flight repeat', async () => {
    const { receiver, workers } = await startBacklog();
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    const done = new Set((await Delivery.find({ state: 'delivered' }).select({ _id: 1 }).lean()).map(({ _id }) => _id));
    const before = receiver.received.length;
    await startWorkersProcess();
    const restartedAt = Date.now();
    await allArrived(receiver, total);
    // The lease, a second for the scanner, and the time to send. How fast the rest follows is for the bench.
    const firstAt = new Map<unknown, number>();
    for (const { at, headers } of receiver.received.slice(before).toReversed()) firstAt.set(headers.host, at);
    expect(firstAt.size).toBeGreaterThan(0);
    expect(Math.max(...firstAt.values()) - restartedAt).toBeLessThan(
      (size.leaseS + byLevel({ quick: 15, full: 5 })) * 1_000,
    );
    const again = deliveryIds(receiver).slice(before);
    expect(again.filter((id) => done.has(id))).toEqual([]);
    const repeated = receiver.received.length - total;
    expect(repeated).toBeLessThanOrEqual(size.endpoints * capPerEndpoint);
    await recorded();
    await receiver.close();
  });

  test('draining after an outage keeps ten posts per endpoint and a small memory', async () => {
    const receiver = await openReceiver();
    const inFlight = new Map<string, number>();
    let maxInFlight = 0;
    receiver.answerWith(async ({ headers }) => {
      const host = String(headers.host);
      const now = (inFlight.get(host) ?? 0) + 1;
      inFlight.set(host, now);
      maxInFlight = Math.max(maxInFlight, now);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight.set(host, (inFlight.get(host) ?? 1) - 1);
      return 200;
    });
    const customers = await openEndpoints(receiver);
    await storeAll(customers, size.drained / size.endpoints);
    const worker = await startWorkersProcess();
    await allArrived(receiver, size.drained);
    await recorded();
    expect(maxInFlight).toBeGreaterThan(1);
    expect(maxInFlight).toBeLessThanOrEqual(capPerEndpoint);
    expect(await readPeakMb(worker)).toBeLessThan(maxMemoryMb);
    await receiver.close();
  });
});

/** Returns the peak memory of a process. */
async function readPeakMb({ pid }: Program): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
