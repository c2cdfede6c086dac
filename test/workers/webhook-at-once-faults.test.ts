import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { type Claim, claimDue, finishClaim, leaseMs } from '../../common/platform/due-work.ts';
import { insertQuickly } from '../../common/platform/quick-writes.ts';
import { createAttemptRecorder } from '../../common/webhooks/attempt-recorder.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import type { TurnDeps } from '../../common/webhooks/delivery-turn.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from '../../common/webhooks/endpoint.model.ts';
import { fanOutDue } from '../../common/webhooks/fan-out-due.ts';
import type { Expected, Summon } from '../../common/webhooks/fan-out-few.ts';
import { leaseIdle } from '../../common/webhooks/lease-idle.ts';
import { type Handed, sendDueDeliveries } from '../../common/webhooks/send-due-deliveries.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { anOwner, aWebhookAt, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

describe('an endpoint that is taken before there is anything to send', () => {
  const world = startWorld({ hasTariffs: false });
  const never = new AbortController().signal;
  let receiver: Receiver;
  let owner: ReturnType<typeof anOwner>;
  let id: string;

  // Else the first event of this process would go the long way.
  beforeAll(async () => void (await insertQuickly('first', [{ _id: 'first' }])));
  beforeEach(async () => {
    receiver = await openReceiver();
    owner = anOwner();
    id = await aWebhookAt(world, owner, receiver.url);
  });
  afterEach(() => receiver.close());

  const fanOut = (summon: Summon, ttlMs = leaseMs) =>
    fanOutDue({ ...world.workersOptions, leaseMs: ttlMs, tell: () => {}, summon });
  async function take({ endpoint }: Pick<Expected, 'endpoint'>, ttlMs = leaseMs): Promise<Claim<EndpointRecord>> {
    const claim = await leaseIdle(endpoint, new Date(), ttlMs);
    if (!claim) throw new Error('It is not idle');
    return claim;
  }
  async function send(claim: Claim<EndpointRecord>, handed?: Handed, options: SendOptions = {}): Promise<void> {
    const { signal = never, ...deps } = options;
    const recording = { ...world.workersOptions, random: Math.random };
    const turnDeps = { ...recording, recorder: createAttemptRecorder(recording), ...deps };
    await sendDueDeliveries(claim, turnDeps, { closing: never, signal }, handed);
  }
  type SendOptions = Partial<Pick<TurnDeps, 'keyRing'>> & { signal?: AbortSignal };
  const states = async () => (await Delivery.find({ endpointId: id }).lean()).map(({ state }) => state);
  const wanted = () => ({ endpoint: { ...owner, endpointId: id, webhookId: id } });

  /** A delivery that a worker was sending when it failed, and gave the endpoint back to be tried again later. */
  async function leaveOneBehind(): Promise<void> {
    await storeEvents(owner, 1, new Date());
    await fanOut(async () => null);
    await Delivery.updateMany({ endpointId: id }, { state: 'sending', leaseToken: 'gone', takenAt: new Date() });
    await Endpoint.updateOne({ _id: id }, { $set: { 'due.at': plusMs(new Date(), 60_000) } });
  }

  test('given a delivery that was left behind there, when another process has the event, then that delivery is sent', async () => {
    await leaveOneBehind();
    await send(await take(wanted()), { url: receiver.url, most: 1, deliveries: Promise.resolve([]) });
    expect([receiver.received.length, await states()]).toEqual([1, ['delivered']]);
    expect((await Endpoint.findById(id).lean<EndpointRecord>())?.due).toBeUndefined();
  });

  test('given a delivery that was left behind there, when the webhook is disabled before the new one is posted, then both are discarded', async () => {
    await leaveOneBehind();
    await storeEvents(owner, 1, new Date());
    let sent = Promise.resolve();
    await fanOut(async (expected) => {
      const claim = await take(expected);
      await Webhook.updateOne({ _id: id }, { status: 'disabled' });
      sent = send(claim, expected);
      return claim.token;
    });
    await sent;
    expect([receiver.received.length, await states()]).toEqual([0, ['discarded', 'discarded']]);
  });

  test('given a process that stands still until its lease is over and somebody else has given the endpoint back, when it stores the delivery, then that is sent all the same', async () => {
    const ttlMs = 20;
    await storeEvents(owner, 1, new Date());
    await fanOut(async (expected) => {
      const { token } = await take(expected, ttlMs);
      const next = await eventually(
        async () => {
          const claim = await claimDue<EndpointRecord>(deliveryWork, id, new Date());
          if (!claim) throw new Error('The lease is not over yet');
          return claim;
        },
        { withinMs: 5_000 },
      );
      expect(await finishClaim(next)).toBe(true);
      // The sender of this process has learned that the lease is lost, and does nothing.
      return token;
    }, ttlMs);
    const claim = await claimDue<EndpointRecord>(deliveryWork, id, new Date());
    if (!claim) throw new Error('Nobody will ever look at the endpoint');
    await send(claim);
    expect([receiver.received.length, await states()]).toEqual([1, ['delivered']]);
  });

  test.each(['cannot find out where to post', 'is told to end'])(
    'given a sender that %s, when the delivery is still being stored, then it waits for that, and gives the delivery back unposted',
    async (fault) => {
      // given
      await storeEvents(owner, 1, new Date());
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const ending = new AbortController();
      const decrypt: TurnDeps['keyRing']['decrypt'] = (...sealed) => {
        ask();
        if (fault === 'is told to end') return world.keyRing.decrypt(...sealed);
        throw new Error('No such key');
      };
      const options = { signal: ending.signal, keyRing: { ...world.keyRing, decrypt } };
      const ends: string[] = [];
      let sent = Promise.resolve();
      // when
      await fanOut(async (expected) => {
        const claim = await take(expected);
        sent = send(claim, expected, options).then(
          () => void ends.push('over'),
          () => void ends.push('failed'),
        );
        await asked;
        if (fault === 'is told to end') ending.abort();
        // Time enough to be gone, if it did not wait.
        await Endpoint.findById(id).lean();
        ends.push('to be stored');
        return claim.token;
      });
      await sent;
      // then
      expect(ends).toEqual(['to be stored', fault === 'is told to end' ? 'over' : 'failed']);
      expect([receiver.received.length, await states()]).toEqual([0, ['due']]);
    },
  );
});
