// Level: push
import { Delivery, DeliveryAttempt, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { isSignedBy, openReceiver, subscribe } from '#test/support/webhooks/receiver.ts';

describe('webhook delivery', () => {
  // With sandbox steps an hour apart, a letter gets only MAIL_QUEUED and what a test simulates.
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });

  /** Sends a letter whose event a webhook answers with `status`. */
  async function sendTo(status: number) {
    const customer = await world.customer();
    const { receiver, end } = await subscribe(customer);
    receiver.answerWith(() => status);
    return { mailJobId: await customer.sendAccepted(), receiver, end };
  }
  const deliveryOf = async (mailJobId: string) => await Delivery.findOne({ mailJobId }).orFail().lean<DeliveryRecord>();
  const delivered = (mailJobId: string) => Delivery.countDocuments({ mailJobId, state: 'delivered' });
  const settled = (mailJobId: string, state: string, attempt = 1) =>
    eventually(async () => expect(await deliveryOf(mailJobId)).toMatchObject({ state, attempt }));

  test.each([200, 201, 204, 299])('an event answered with %i is delivered once', async (status) => {
    const { mailJobId, receiver, end } = await sendTo(status);
    await settled(mailJobId, 'delivered');
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      'x-service-event': 'MAIL_QUEUED',
      'x-service-attempt': '1',
      'content-type': 'application/json',
    });
    await end();
  });

  test.each([
    [300, 5_000],
    [301, 5_000],
    [400, 5_000],
    [404, 5_000],
    [500, 5_000],
    [429, 60_000],
    [503, 60_000],
  ])('an event answered with %i is retried after %i ms plus jitter', async (status, leastMs) => {
    const { mailJobId, end } = await sendTo(status);
    await settled(mailJobId, 'due');
    const seenMs = Date.now();
    const { _id, nextAttemptAt, lastResult } = await deliveryOf(mailJobId);
    expect(lastResult).toBe(String(status));
    // The delay starts at the end of the attempt, which is logged a moment later.
    const attempt = await eventually(() => DeliveryAttempt.findById(`${_id}:1`).orFail().lean());
    const endedMs = attempt.startedAt.getTime() + attempt.durationMs;
    const nextMs = nextAttemptAt?.getTime() ?? 0;
    expect(nextMs).toBeGreaterThanOrEqual(endedMs + leastMs);
    expect(nextMs).toBeLessThanOrEqual(seenMs + leastMs * 1.2);
    await end();
  });

  test('events of a letter with a webhookUrl go only there, signed with the job secret', async () => {
    const [own, customer] = [await openReceiver(), await world.customer()];
    const { receiver: webhook, end } = await subscribe(customer, ['MAIL_QUEUED', 'MAIL_FAILED']);
    const mailJobId = await customer.sendAccepted({ webhookUrl: own.url });
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    await eventually(() => expect(own.received).toHaveLength(2));
    expect(own.received.map(({ body }) => body.event).sort()).toEqual(['MAIL_FAILED', 'MAIL_QUEUED']);
    const secret = await customer.jobWebhookSecret();
    for (const delivery of own.received) expect(isSignedBy(secret, delivery)).toBe(true);
    expect(webhook.received).toEqual([]);
    await Promise.all([own.close(), end()]);
  });

  test('a direct jump to delivered sends only the first and the reached status', async () => {
    const customer = await world.customer();
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'];
    const { receiver, end } = await subscribe(customer, events);
    const mailJobId = await customer.sendAccepted();
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'delivered' });
    await eventually(async () => expect(await delivered(mailJobId)).toBe(2));
    expect(receiver.received.map(({ body }) => body.event).sort()).toEqual(['MAIL_DELIVERED', 'MAIL_QUEUED']);
    await end();
  });

  test('each webhook of an owner gets an event once, and none of another mode does', async () => {
    const customer = await world.customer();
    const other = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    const subscriptions = [
      await subscribe(customer),
      await subscribe(customer, ['MAIL_QUEUED', 'MAIL_FAILED']),
      await subscribe(other),
    ];
    const mailJobId = await customer.sendAccepted();
    await eventually(async () => expect(await delivered(mailJobId)).toBe(2));
    expect(await Delivery.countDocuments({ mailJobId })).toBe(2);
    expect(subscriptions.map(({ receiver }) => receiver.received.length)).toEqual([1, 1, 0]);
    await Promise.all(subscriptions.map(({ end }) => end()));
  });
});
