import { beforeAll, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { claimDue, leaseMs, newDue } from '../../common/platform/due-work.ts';
import { insertQuickly } from '../../common/platform/quick-writes.ts';
import { createAttemptRecorder } from '../../common/webhooks/attempt-recorder.ts';
import { newHealth } from '../../common/webhooks/breaker.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from '../../common/webhooks/endpoint.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { fanOutDue } from '../../common/webhooks/fan-out-due.ts';
import type { Expected, Summon } from '../../common/webhooks/fan-out-few.ts';
import { leaseIdle } from '../../common/webhooks/lease-idle.ts';
import { gateAgeMs } from '../../common/webhooks/post-gate.ts';
import { sendDueDeliveries } from '../../common/webhooks/send-due-deliveries.ts';
import { openReceiver } from '../support/receiver.ts';
import { anOwner, aWebhookAt, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

describe('an event that is sent at once by the process that fans it out', () => {
  const world = startWorld({ hasTariffs: false });
  const { signal } = new AbortController();
  const ending = { closing: signal, signal };

  // Else the first event of this process would go the long way.
  beforeAll(async () => void (await insertQuickly('first', [{ _id: 'first' }])));

  const fanOut = (summon: Summon, at = new Date()) =>
    fanOutDue({ ...world.workersOptions, clock: { now: () => at }, tell: () => {}, summon });
  async function send(claim: NonNullable<Awaited<ReturnType<typeof leaseIdle>>>, handed?: Expected): Promise<void> {
    const recording = { ...world.workersOptions, random: Math.random };
    await sendDueDeliveries(claim, { ...recording, recorder: createAttemptRecorder(recording) }, ending, handed);
  }
  const states = async (endpointId: string) => (await Delivery.find({ endpointId }).lean()).map(({ state }) => state);

  test('given an idle endpoint, when an event is fanned out, then it is posted once, and nothing is left to do', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const id = await aWebhookAt(world, customer, receiver.url);
    await storeEvents(customer, 3, new Date());
    const sent: Promise<void>[] = [];
    await fanOut(async (expected) => {
      const claim = await leaseIdle(expected.endpoint, new Date(), leaseMs);
      sent.push(send(claim!, expected));
      return claim!.token;
    });
    await Promise.all(sent);
    expect([receiver.received.length, await states(id)]).toEqual([3, ['delivered', 'delivered', 'delivered']]);
    expect((await Endpoint.findById(id).lean<EndpointRecord>())?.due).toBeUndefined();
    const { organizationId } = customer;
    expect(await Event.countDocuments({ organizationId, fannedOutAt: null })).toBe(0);
    await receiver.close();
  });

  test('given three webhooks at one origin, when an event is fanned out to all, then none waits for the others to end', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    for (let n = 0; n < 3; n += 1) await aWebhookAt(world, customer, receiver.url);
    await storeEvents(customer, 1, new Date());
    const sent: Promise<void>[] = [];
    await fanOut(async (expected) => {
      const claim = await leaseIdle(expected.endpoint, new Date(), leaseMs);
      sent.push(send(claim!, expected));
      return claim!.token;
    });
    await Promise.all(sent);
    expect(receiver.received).toHaveLength(3);
    await receiver.close();
  });

  test('given an endpoint that was taken, when its webhook is deleted before the delivery is stored, then nothing is posted after the answer', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const id = await aWebhookAt(world, customer, receiver.url);
    await storeEvents(customer, 1, new Date());
    let sent = Promise.resolve();
    let deletion: Promise<unknown> = Promise.resolve();
    await fanOut(async (expected) => {
      const claim = await leaseIdle(expected.endpoint, new Date(), leaseMs);
      // The worst moment: it is known to be active, and its delivery comes when it is not any more.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const deliveries = late.then(() => expected.deliveries);
      sent = send(claim!, { ...expected, deliveries });
      const deleted = customer.http.delete(`/v1/webhooks/${id}`);
      expect(await Promise.race([deleted, new Promise((done) => setTimeout(done, 100, 'waits'))])).toBe('waits');
      setTimeout(resolve, gateAgeMs + 100);
      deletion = deleted;
      return claim!.token;
    });
    await sent;
    expect(await deletion).toMatchObject({ status: 200 });
    expect([receiver.received, await states(id)]).toEqual([[], ['discarded']]);
    await receiver.close();
  });

  test('given a worker that dies with what it was handed, when its lease is over, then the next one posts it once', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const id = await aWebhookAt(world, customer, receiver.url);
    const now = new Date();
    await storeEvents(customer, 1, now);
    await fanOut(async ({ endpoint }) => (await leaseIdle(endpoint, now, leaseMs))!.token, now);
    expect(await states(id)).toEqual(['sending']);
    expect(await claimDue(deliveryWork, id, now)).toBeNull();
    await Endpoint.updateOne({ _id: id }, { $set: { 'due.leaseUntil': now } });
    await send((await claimDue<EndpointRecord>(deliveryWork, id, new Date()))!);
    expect([receiver.received.length, await states(id)]).toEqual([1, ['delivered']]);
    await receiver.close();
  });

  test('given a delivery that an earlier run has stored, when its event is fanned out anew, then what is handed on is nothing', async () => {
    const customer = await world.customer();
    const id = await aWebhookAt(world, customer, 'http://127.0.0.1:9/');
    await storeEvents(customer, 1, new Date());
    await fanOut(async () => null);
    await Event.updateOne({ organizationId: customer.organizationId }, { fannedOutAt: null, due: newDue(new Date()) });
    let handed: Expected['deliveries'] | undefined;
    await fanOut(async ({ deliveries }) => {
      handed = deliveries;
      return 'token';
    });
    expect([await handed, await states(id)]).toEqual([[], ['due']]);
  });

  test.each([
    [
      'is held',
      { due: { ...newDue(new Date(0)), leaseToken: 'other', leaseUntil: plusMs(new Date(), 60_000) } },
      false,
    ],
    ['has something due', { due: newDue(new Date(0)) }, false],
    ['is paused', { health: { ...newHealth, pauseMs: 60_000, pausedUntil: plusMs(new Date(), 60_000) } }, false],
    ['is on probation', { health: { ...newHealth, pauseMs: 60_000, pausedUntil: new Date(0) } }, false],
    ['has a retry to come', { due: newDue(plusMs(new Date(), 60_000)) }, true],
    ['has nothing to do', {}, true],
  ])(
    'given an endpoint that %s, when it is to be taken before anything waits, then it is so or left alone',
    async (_, fields, isTaken) => {
      const owner = anOwner();
      const endpointId = `wh_${owner.organizationId}`;
      await Endpoint.insertMany([{ _id: endpointId, ...owner, webhookId: endpointId, ...fields }]);
      const before = await Endpoint.findById(endpointId).lean<EndpointRecord>();
      const claim = await leaseIdle({ ...owner, endpointId, webhookId: endpointId }, new Date(), leaseMs);
      const after = await Endpoint.findById(endpointId).lean<EndpointRecord>();
      expect(claim !== null).toBe(isTaken);
      if (!isTaken) expect(after).toEqual(before);
      else expect(after?.due).toMatchObject({ leaseToken: claim?.token, version: 1, attempt: 1 });
    },
  );
});
