// Level: ci
import type { Owner } from '#common/modes.ts';
import { maxBatch } from '#common/webhooks/deliveries/claim-deliveries.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { maxInFlight } from '#common/webhooks/sending/send-queue.ts';
import { findLeaks } from '#scripts/find-log-leaks.ts';
import { afterEach, byLevel, describe, eventually, expect, test } from '#test/support/jest.ts';
import { killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openReceiver, type Receiver } from '#test/support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, storeEvents } from '#test/support/webhooks/webhook-scene.ts';

const size = byLevel({
  quick: { endpoints: 6, each: 40 },
  full: { endpoints: 20, each: 60 },
  long: { endpoints: 50, each: 100 },
});
const total = size.endpoints * size.each;

describe('a backlog over many endpoints', () => {
  const world = startWorld({
    hasTariffs: false,
    hasOwnRedis: true,
    environment: { LOG_LEVEL: 'debug' },
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

  test('all deliveries arrive after a Redis flush, without a restart', async () => {
    const { receiver, customers, workers } = await startBacklog();
    await world.ownRedis?.flush();
    await storeAll(customers, 1);
    await allArrived(receiver, total + size.endpoints);
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
    await Endpoint.updateMany({ 'due.leaseToken': { $ne: null } }, { $set: { 'due.leaseUntil': new Date(0) } });
    await startWorkersProcess();
    await allArrived(receiver, total);
    const again = deliveryIds(receiver).slice(before);
    expect(again.filter((id) => done.has(id))).toEqual([]);
    const repeated = receiver.received.length - total;
    expect(repeated).toBeLessThanOrEqual(size.endpoints * maxInFlight);
    await recorded();
    await receiver.close();
  });

  test('draining after an outage keeps ten posts per endpoint in flight, and claims a hundred more', async () => {
    const receiver = await openReceiver();
    const inFlight = new Map<string, number>();
    const each = 2 * maxBatch;
    const othersTotal = (size.endpoints - 1) * each;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let held: string | undefined;
    let others = 0;
    let othersAtTen: number | undefined;
    let mostInFlight = 0;
    let mostClaimed = 0;
    receiver.answerWith(async ({ headers }) => {
      const host = String(headers.host);
      held ??= host;
      const now = (inFlight.get(host) ?? 0) + 1;
      inFlight.set(host, now);
      mostInFlight = Math.max(mostInFlight, now);
      if (receiver.received.length % 20 === 1) {
        const byEndpoint = [{ $match: { state: 'sending' } }, { $sortByCount: '$endpointId' }];
        const [most] = await Delivery.aggregate(byEndpoint);
        mostClaimed = Math.max(mostClaimed, most?.count ?? 0);
      }
      // The first endpoint gets no answer until ten posts are in flight and the others got a hundred after that: by then
      // an eleventh post would have come.
      if (host !== held) others += 1;
      else if (now === maxInFlight) othersAtTen ??= others;
      if (othersAtTen !== undefined && others >= Math.min(othersAtTen + 100, othersTotal)) release();
      if (host === held) await released;
      inFlight.set(host, (inFlight.get(host) ?? 1) - 1);
      return 200;
    });
    const customers = await openEndpoints(receiver);
    await storeAll(customers, each);
    await startWorkersProcess();
    await allArrived(receiver, size.endpoints * each);
    await recorded();
    expect(mostInFlight).toBe(maxInFlight);
    expect(mostClaimed).toBeGreaterThan(maxInFlight);
    expect(mostClaimed).toBeLessThan(maxBatch + maxInFlight);
    await receiver.close();
  });
});
