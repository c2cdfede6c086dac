// Level: push
import { Registry } from 'prom-client';
import { plusMs } from '#common/clock.ts';
import { Notice } from '#common/notices/notice.model.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { createLog } from '#common/platform/process/log.ts';
import { changeWebhook } from '#common/webhooks/console/change-webhook.ts';
import { Delivery, type DeliveryState } from '#common/webhooks/deliveries/delivery.model.ts';
import { createDeliveryMetrics } from '#common/webhooks/deliveries/delivery-metrics.ts';
import { Endpoint, resetEndpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { targetMaxAgeMs } from '#common/webhooks/endpoints/post-target.ts';
import { Webhook, type WebhookStatus } from '#common/webhooks/registry/webhook.model.ts';
import { disableWebhook } from '#common/webhooks/sending/disable-webhook.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { anyTarget, startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const world = startWorld({ hasTariffs: false });

describe('a failing endpoint', () => {
  const scene = startWebhookScene(world);

  const webhook = () => Webhook.findById(scene.webhookId).orFail().lean();
  const attempts = async () =>
    (await Delivery.find({ webhookId: scene.webhookId }).lean()).reduce((sum, { attempt }) => sum + attempt, 0);

  test('is paused for 60 s after ten failures, probed once, and recovers on success', async () => {
    await scene.pause();
    const posted = scene.receiver.received.length;
    // Ten are in flight at once: posts that had started when the tenth failed end as well.
    expect(posted).toBeGreaterThanOrEqual(10);
    expect(posted).toBeLessThan(20);
    expect(await attempts()).toBe(posted);
    expect(await scene.dispatcher.read('endpoint_breaker_open')).toBe(1);
    // New events do not end the pause.
    scene.clock.advance(30_000);
    await scene.store(1);
    scene.clock.advance(29_999);
    expect(await scene.dispatcher.send(scene.webhookId)).toBe(false);
    expect([await attempts(), await scene.count('sending')]).toEqual([posted, 0]);
    scene.clock.advance(1);
    expect(await scene.dispatcher.send(scene.webhookId)).toBe(true);
    expect(scene.receiver.received).toHaveLength(posted + 1);
    scene.receiver.answerWith(() => 200);
    scene.clock.advance(120_000);
    await scene.dispatcher.send(scene.webhookId);
    expect(await scene.count('delivered')).toBe(31);
    expect(await scene.dispatcher.read('endpoint_breaker_open')).toBe(0);
  });

  test('is disabled after five days with one notice, and missed events can be retried', async () => {
    scene.receiver.answerWith(() => 500);
    const first = scene.clock.now();
    for (let hour = 0; hour <= 6 * 24; hour += 6) {
      scene.clock.set(plusMs(first, hour * hourMs));
      await scene.store(1);
      await scene.dispatcher.send(scene.webhookId);
      expect((await webhook()).status).toBe(hour < 5 * 24 ? 'active' : 'disabled');
    }
    expect(await webhook()).toMatchObject({ status: 'disabled', disabledReason: 'FAILING' });
    const notices = await Notice.find({ subjectId: scene.webhookId }).lean();
    expect(notices).toMatchObject([
      { kind: 'WEBHOOK_DISABLED', organizationId: scene.customer.organizationId, mode: 'live', mailedAt: null },
    ]);
    expect(JSON.stringify(notices)).not.toMatch(/whsec_/);
    expect(await scene.dispatcher.read('endpoints_disabled_total')).toBe(1);
    // Later events have a discarded delivery that can be retried.
    expect([await scene.count('due'), await scene.count('sending')]).toEqual([0, 0]);
    expect(await scene.count('discarded')).toBeGreaterThanOrEqual(4);
    // Re-enabling resets the health: one more failure does not disable it.
    await Webhook.updateOne({ _id: scene.webhookId }, { status: 'active', disabledReason: null });
    await inTransaction((transaction) => resetEndpoint(transaction, scene.webhookId, scene.clock.now()));
    await scene.store(1);
    await scene.dispatcher.send(scene.webhookId);
    expect((await webhook()).status).toBe('active');
    expect((await Endpoint.findById(scene.webhookId).orFail().lean()).health?.failingSince).toEqual(scene.clock.now());
  });

  test('with a success on the fourth day stays active until the eighth', async () => {
    const first = scene.clock.now();
    scene.receiver.answerWith(() => (scene.clock.now().getTime() - first.getTime() === 4 * dayMs ? 200 : 500));
    for (let hour = 0; hour <= 8 * 24; hour += 12) {
      scene.clock.set(plusMs(first, hour * hourMs));
      await scene.store(1);
      while (await scene.dispatcher.send(scene.webhookId));
    }
    expect((await webhook()).status).toBe('active');
  });

  test('that answers 410 is disabled at once with a notice, and posts stop', async () => {
    scene.receiver.answerWith(() => 410);
    await scene.store(40);
    await scene.dispatcher.send(scene.webhookId);
    expect(scene.receiver.received.length).toBeLessThanOrEqual(10);
    expect(await webhook()).toMatchObject({ status: 'disabled', disabledReason: 'GONE' });
    expect(await scene.count('discarded')).toBe(40);
    expect(await Notice.countDocuments({ subjectId: scene.webhookId })).toBe(1);
    expect(await scene.dispatcher.read('endpoints_disabled_total')).toBe(1);
  });
});

describe('a webhook re-enabled during a session', () => {
  const scene = startWebhookScene(world);

  const setStatus = async (status: WebhookStatus) => {
    await changeWebhook(scene.customer, scene.webhookId, { status }, anyTarget, scene.clock.now());
  };
  const states = async (): Promise<DeliveryState[]> =>
    (await Delivery.find({ webhookId: scene.webhookId }).sort({ _id: 1 }).lean()).map(({ state }) => state);
  const isDisabled = async () => {
    expect((await Webhook.findById(scene.webhookId).orFail().lean()).status).toBe('disabled');
  };

  test('gets new events after the worker itself disabled it', async () => {
    scene.receiver.answerWith(() => 410);
    await scene.store(1);
    await scene.dispatcher.send(scene.webhookId, {
      async afterRecord() {
        if (scene.receiver.received.length > 1) return;
        await eventually(isDisabled);
        await setStatus('active');
        scene.receiver.answerWith(() => 200);
        await scene.store(1);
      },
    });
    await scene.sendAll();
    // Disabling discarded the delivery that waited for its second attempt.
    expect(await states()).toEqual(['discarded', 'delivered']);
    expect((await Webhook.findById(scene.webhookId).orFail().lean()).status).toBe('active');
  });

  test('gets new events after the worker has seen it disabled', async () => {
    const answers: ((status: number) => void)[] = [];
    scene.receiver.answerWith(() => new Promise<number>((resolve) => void answers.push(resolve)));
    await scene.store(11);
    const sending = scene.dispatcher.send(scene.webhookId, {
      async afterRecord({ answer }) {
        if (answer !== 'unwanted') return;
        await setStatus('active');
        await scene.store(1);
        scene.receiver.answerWith(() => 200);
        for (const resolve of answers) resolve(200);
      },
    });
    await eventually(() => expect(answers).toHaveLength(10));
    await Webhook.updateOne({ _id: scene.webhookId }, { status: 'disabled' });
    const knownUntil = performance.now() + targetMaxAgeMs;
    await eventually(() => expect(performance.now()).toBeGreaterThan(knownUntil));
    answers[0]?.(200);
    await sending;
    await scene.sendAll();
    expect((await states()).sort()).toEqual([...Array(11).fill('delivered'), 'discarded']);
    expect(await Delivery.countDocuments({ webhookId: scene.webhookId, state: 'discarded', attempt: 0 })).toBe(1);
  });

  test('keeps its posts in flight with their worker, and their failure does not count', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
    scene.receiver.answerWith(() => mayAnswer);
    await scene.store(10);
    const sending = scene.dispatcher.send(scene.webhookId);
    await eventually(() => expect(scene.receiver.received).toHaveLength(10));
    await setStatus('disabled');
    await setStatus('active');
    expect(await scene.dispatcher.send(scene.webhookId)).toBe(false);
    answer(500);
    await sending;
    expect(scene.receiver.received).toHaveLength(10);
    expect(await states()).toEqual(Array(10).fill('due'));
    expect((await Endpoint.findById(scene.webhookId).orFail().lean()).health?.pausedUntil ?? null).toBeNull();
    scene.receiver.answerWith(() => 200);
    await scene.store(1);
    await scene.sendAll();
    expect(scene.receiver.received).toHaveLength(11);
  });

  test('sends new events at once, even if its endpoint was paused', async () => {
    await scene.pause();
    expect(await scene.dispatcher.send(scene.webhookId)).toBe(false);
    await setStatus('disabled');
    await setStatus('active');
    scene.receiver.answerWith(() => 200);
    const before = scene.receiver.received.length;
    await scene.store(1);
    await scene.sendAll();
    expect(scene.receiver.received).toHaveLength(before + 1);
  });
});

describe('a webhook disabled by the service', () => {
  test('is reported once when two workers disable it, without URL or secret in the log', async () => {
    const customer = await world.customer();
    const url = 'https://127.0.0.1/private-path';
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url, events: ['MAIL_QUEUED'] });
    const { organizationId, mode } = customer;
    const endpoint = { _id: webhook.id, organizationId, mode, webhookId: webhook.id };
    const lines: string[] = [];
    const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
    const registry = new Registry();
    const metrics = createDeliveryMetrics(registry);
    const disable = () => disableWebhook(endpoint, 'FAILING', new Date(), { log, metrics });
    await Promise.all([disable(), disable()]);
    expect(await Notice.countDocuments({ subjectId: webhook.id, kind: 'WEBHOOK_DISABLED' })).toBe(1);
    const entry = { level: 'warn', webhookId: webhook.id, reason: 'FAILING', msg: 'webhook disabled' };
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining(entry)]);
    expect(lines.join()).not.toMatch(/private-path|whsec_/);
    expect(await registry.metrics()).toMatch(/^endpoints_disabled_total 1$/m);
    const { body } = await customer.http.get(`/v1/webhooks/${webhook.id}`);
    expect(body).toMatchObject({ status: 'disabled', disabledReason: 'FAILING' });
  });
});
