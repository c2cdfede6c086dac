import { describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { Notice } from '../../common/organizations/notice.model.ts';
import { inTransaction } from '../../common/platform/transaction.ts';
import { Delivery, type DeliveryState } from '../../common/webhooks/delivery.model.ts';
import { Endpoint, resetEndpoint } from '../../common/webhooks/endpoint.model.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('an endpoint that fails', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  const count = (state: DeliveryState) => Delivery.countDocuments({ webhookId: scene.webhookId, state });
  const webhook = () => Webhook.findById(scene.webhookId).orFail().lean();
  const attempts = async () =>
    (await Delivery.find({ webhookId: scene.webhookId }).lean()).reduce((sum, { attempt }) => sum + attempt, 0);

  test('given thirty deliveries and only failures, when ten have failed, then it is left alone for 60 s, probed once, and well after a success', async () => {
    scene.receiver.answerWith(() => 500);
    await scene.store(30);
    await scene.hand.send(scene.webhookId);
    const posted = scene.receiver.received.length;
    // Ten under way at once: those that had begun when the tenth failed end as well.
    expect(posted).toBeGreaterThanOrEqual(10);
    expect(posted).toBeLessThan(20);
    expect(await attempts()).toBe(posted);
    expect(await scene.hand.read('endpoint_breaker_open')).toBe(1);
    // New events do not wake it early.
    scene.clock.advance(30_000);
    await scene.store(1);
    scene.clock.advance(29_999);
    expect(await scene.hand.send(scene.webhookId)).toBe(false);
    expect([await attempts(), await count('sending')]).toEqual([posted, 0]);
    scene.clock.advance(1);
    expect(await scene.hand.send(scene.webhookId)).toBe(true);
    expect(scene.receiver.received).toHaveLength(posted + 1);
    scene.receiver.answerWith(() => 200);
    scene.clock.advance(120_000);
    await scene.hand.send(scene.webhookId);
    expect(await count('delivered')).toBe(31);
    expect(await scene.hand.read('endpoint_breaker_open')).toBe(0);
  });

  test('given a receiver that is down for six days, when events keep coming, then the webhook is disabled once, told once, and misses nothing for good', async () => {
    scene.receiver.answerWith(() => 500);
    const first = scene.clock.now();
    for (let hour = 0; hour <= 6 * 24; hour += 6) {
      scene.clock.set(plusMs(first, hour * hourMs));
      await scene.store(1);
      await scene.hand.send(scene.webhookId);
      expect((await webhook()).status).toBe(hour < 5 * 24 ? 'active' : 'disabled');
    }
    expect(await webhook()).toMatchObject({ status: 'disabled', disabledReason: 'FAILING' });
    const notices = await Notice.find({ subjectId: scene.webhookId }).lean();
    expect(notices).toMatchObject([
      { kind: 'WEBHOOK_DISABLED', organizationId: scene.customer.organizationId, mode: 'live', mailedAt: null },
    ]);
    expect(JSON.stringify(notices)).not.toMatch(/whsec_/);
    expect(await scene.hand.read('endpoints_disabled_total')).toBe(1);
    // What happened since is on record, and can be sent again.
    expect([await count('due'), await count('sending')]).toEqual([0, 0]);
    expect(await count('discarded')).toBeGreaterThanOrEqual(4);
    // Enabled again, it begins afresh: one more failure is no reason to disable it.
    await Webhook.updateOne({ _id: scene.webhookId }, { status: 'active', disabledReason: null });
    await inTransaction((transaction) => resetEndpoint(transaction, scene.webhookId, scene.clock.now()));
    await scene.store(1);
    await scene.hand.send(scene.webhookId);
    expect((await webhook()).status).toBe('active');
    expect((await Endpoint.findById(scene.webhookId).orFail().lean()).health?.failingSince).toEqual(scene.clock.now());
  }, 60_000);

  test('given one success on the fourth day, when failures go on to the eighth, then it stays active', async () => {
    const first = scene.clock.now();
    scene.receiver.answerWith(() => (scene.clock.now().getTime() - first.getTime() === 4 * dayMs ? 200 : 500));
    for (let hour = 0; hour <= 8 * 24; hour += 12) {
      scene.clock.set(plusMs(first, hour * hourMs));
      await scene.store(1);
      while (await scene.hand.send(scene.webhookId));
    }
    expect((await webhook()).status).toBe('active');
  }, 60_000);

  test('given a receiver that answers 410, when others wait, then it is disabled at once and told, and nothing more is posted', async () => {
    scene.receiver.answerWith(() => 410);
    await scene.store(40);
    await scene.hand.send(scene.webhookId);
    expect(scene.receiver.received.length).toBeLessThanOrEqual(10);
    expect(await webhook()).toMatchObject({ status: 'disabled', disabledReason: 'GONE' });
    expect(await count('discarded')).toBe(40);
    expect(await Notice.countDocuments({ subjectId: scene.webhookId })).toBe(1);
    expect(await scene.hand.read('endpoints_disabled_total')).toBe(1);
  });
});
