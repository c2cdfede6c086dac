// Level: ci
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { findForgotten } from '#common/webhooks/deliveries/wake-forgotten.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { afterEach, byLevel, eventually, expect, test } from '#test/support/jest.ts';
import { freeze, killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, storeEvents } from '#test/support/webhooks/webhook-scene.ts';

const rounds = byLevel({ quick: 2, full: 4, long: 12 });
const each = 100;

const world = startWorld({ hasTariffs: false, hasOwnRedis: true, environment: { WORK_LEASE_S: '2' } });
afterEach(killStartedPrograms);

test('workers that stall for longer than their lease send all deliveries and forget no endpoint', async () => {
  const receiver = await openReceiver();
  receiver.answerWith(() => new Promise<number>((resolve) => setTimeout(resolve, 20, 200)));
  const owners = Array.from({ length: 3 }, anOwner);
  for (const [index, owner] of owners.entries()) {
    await aWebhookAt(world, owner, receiver.url.replace('127.0.0.1', `e${index}.localhost`));
  }
  const workers = await Promise.all([0, 1].map(() => startProductProcess('workers/main.ts', world.environment)));
  let stored = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = receiver.received.length;
    for (const owner of owners) await storeEvents(owner, each, new Date());
    stored += owners.length * each;
    // Stall at a different point in every round.
    const enough = before + 1 + 37 * (round % 5);
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(enough));
    const thaw = freeze(workers[round % 2]!.pid);
    const expired = { 'due.leaseToken': { $ne: null }, 'due.leaseUntil': new Date(0) };
    await Endpoint.updateMany({ 'due.leaseToken': { $ne: null } }, { $set: { 'due.leaseUntil': new Date(0) } });
    // The other worker renews its own leases, and takes over those of the stalled one.
    await eventually(async () => expect(await Endpoint.countDocuments(expired)).toBe(0));
    thaw();
  }
  const ids = () => new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']));
  await eventually(() => expect(ids().size).toBe(stored));
  const left = { state: { $in: ['due' as const, 'sending' as const] } };
  await eventually(async () => expect(await Delivery.countDocuments(left)).toBe(0));
  expect(await Array.fromAsync(findForgotten(new Date(), 0))).toEqual([]);
  await receiver.close();
});
