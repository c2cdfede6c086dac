import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import type { Owner } from '../../common/modes.ts';
import { Notice } from '../../common/organizations/notice.model.ts';
import { Delivery, type DeliveryState } from '../../common/webhooks/delivery.model.ts';
import { Endpoint, resetEndpoint } from '../../common/webhooks/endpoint.model.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import type { StandingClock } from '../support/clock.ts';
import { standingClock } from '../support/clock.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { anOwner, aWebhookAt, type HandSender, handSender, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('an endpoint that fails', () => {
  const world = startWorld({ hasTariffs: false });
  let receiver: Receiver;
  let clock: StandingClock;
  let hand: HandSender;
  let customer: Owner;
  let webhookId: string;

  beforeEach(async () => {
    receiver = await openReceiver();
    clock = standingClock();
    hand = handSender(world, clock);
    customer = { ...anOwner(), mode: 'live' };
    webhookId = await aWebhookAt(world, customer, receiver.url);
  });
  afterEach(async () => {
    await hand.close();
    await receiver.close();
  });

  const store = async (count: number) => {
    await storeEvents(customer, count, clock.now());
    await hand.fanOut();
  };
  const count = (state: DeliveryState) => Delivery.countDocuments({ webhookId, state });
  const webhook = () => Webhook.findById(webhookId).orFail().lean();
  const attempts = async () =>
    (await Delivery.find({ webhookId }).lean()).reduce((sum, { attempt }) => sum + attempt, 0);

  test('given thirty deliveries and only failures, when ten have failed, then it is left alone for 60 s, probed once, and well after a success', async () => {
    receiver.answerWith(() => 500);
    await store(30);
    await hand.send(webhookId);
    const posted = receiver.received.length;
    // Ten under way at once: those that had begun when the tenth failed end as well.
    expect(posted).toBeGreaterThanOrEqual(10);
    expect(posted).toBeLessThan(20);
    expect(await attempts()).toBe(posted);
    expect(await hand.read('endpoint_breaker_open')).toBe(1);
    // New events do not wake it early.
    clock.advance(30_000);
    await store(1);
    clock.advance(29_999);
    expect(await hand.send(webhookId)).toBe(false);
    expect([await attempts(), await count('sending')]).toEqual([posted, 0]);
    clock.advance(1);
    expect(await hand.send(webhookId)).toBe(true);
    expect(receiver.received).toHaveLength(posted + 1);
    receiver.answerWith(() => 200);
    clock.advance(120_000);
    await hand.send(webhookId);
    expect(await count('delivered')).toBe(31);
    expect(await hand.read('endpoint_breaker_open')).toBe(0);
  });

  test('given a receiver that is down for six days, when events keep coming, then the webhook is disabled once, told once, and misses nothing for good', async () => {
    receiver.answerWith(() => 500);
    const first = clock.now();
    for (let hour = 0; hour <= 6 * 24; hour += 6) {
      clock.set(plusMs(first, hour * hourMs));
      await store(1);
      await hand.send(webhookId);
      expect((await webhook()).status).toBe(hour < 5 * 24 ? 'active' : 'disabled');
    }
    expect(await webhook()).toMatchObject({ status: 'disabled', disabledReason: 'FAILING' });
    const notices = await Notice.find({ subjectId: webhookId }).lean();
    expect(notices).toMatchObject([
      { kind: 'WEBHOOK_DISABLED', organizationId: customer.organizationId, mode: 'live', mailedAt: null },
    ]);
    expect(JSON.stringify(notices)).not.toMatch(/whsec_/);
    expect(await hand.read('endpoints_disabled_total')).toBe(1);
    // What happened since is on record, and can be sent again.
    expect([await count('due'), await count('sending')]).toEqual([0, 0]);
    expect(await count('discarded')).toBeGreaterThanOrEqual(4);
    // Enabled again, it begins afresh: one more failure is no reason to disable it.
    await Webhook.updateOne({ _id: webhookId }, { status: 'active', disabledReason: null });
    await resetEndpoint(webhookId, clock.now());
    await store(1);
    await hand.send(webhookId);
    expect((await webhook()).status).toBe('active');
    expect((await Endpoint.findById(webhookId).orFail().lean()).health?.failingSince).toEqual(clock.now());
  }, 60_000);

  test('given one success on the fourth day, when failures go on to the eighth, then it stays active', async () => {
    const first = clock.now();
    receiver.answerWith(() => (clock.now().getTime() - first.getTime() === 4 * dayMs ? 200 : 500));
    for (let hour = 0; hour <= 8 * 24; hour += 12) {
      clock.set(plusMs(first, hour * hourMs));
      await store(1);
      while (await hand.send(webhookId));
    }
    expect((await webhook()).status).toBe('active');
  }, 60_000);

  test('given a receiver that answers 410, when others wait, then it is disabled at once and told, and nothing more is posted', async () => {
    receiver.answerWith(() => 410);
    await store(40);
    await hand.send(webhookId);
    expect(receiver.received.length).toBeLessThanOrEqual(10);
    expect(await webhook()).toMatchObject({ status: 'disabled', disabledReason: 'GONE' });
    expect(await count('discarded')).toBe(40);
    expect(await Notice.countDocuments({ subjectId: webhookId })).toBe(1);
    expect(await hand.read('endpoints_disabled_total')).toBe(1);
  });
});
