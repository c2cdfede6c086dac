import { describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
} from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import type { Customer } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { isSignedBy, openReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('the delivery of events', () => {
  // Sandbox steps an hour apart: each letter here has its MAIL_QUEUED, and what the tests simulate.
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });

  async function send(customer: Customer, extra: Record<string, unknown> = {}): Promise<string> {
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const { status, body } = await customer.http.post('/v1/mails', await aLetter(customer, { files, ...extra }));
    expect(status).toBe(201);
    return body.mailJobId;
  }
  const deliveryOf = async (mailJobId: string) => await Delivery.findOne({ mailJobId }).orFail().lean<DeliveryRecord>();
  const settled = (mailJobId: string, state: string, attempt = 1) =>
    eventually(async () => expect(await deliveryOf(mailJobId)).toMatchObject({ state, attempt }), { withinMs: 8_000 });

  test.each([200, 201, 204, 299])(
    'given a receiver that answers %i, when an event is delivered, then it is posted once',
    async (status) => {
      const receiver = await openReceiver();
      receiver.answerWith(() => status);
      const customer = await world.customer();
      await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
      const mailJobId = await send(customer);
      await settled(mailJobId, 'delivered');
      expect(receiver.received).toHaveLength(1);
      expect(receiver.received[0]?.headers).toMatchObject({
        'x-service-event': 'MAIL_QUEUED',
        'x-service-attempt': '1',
        'content-type': 'application/json',
      });
      await receiver.close();
    },
  );

  test.each([
    [300, 5_000],
    [301, 5_000],
    [400, 5_000],
    [404, 5_000],
    [500, 5_000],
    [429, 60_000],
    [503, 60_000],
  ])(
    'given a receiver that answers %i, when an event is delivered, then it is tried again after %i ms or a little more',
    async (status, leastMs) => {
      const receiver = await openReceiver();
      receiver.answerWith(() => status);
      const customer = await world.customer();
      await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
      const mailJobId = await send(customer);
      await settled(mailJobId, 'due');
      const { _id, nextAttemptAt, lastResult } = await deliveryOf(mailJobId);
      expect(lastResult).toBe(String(status));
      // From the end of the attempt, which is on record a moment later.
      const attempt = await eventually(
        () => DeliveryAttempt.findById(`${_id}:1`).orFail().lean<DeliveryAttemptRecord>(),
        { withinMs: 8_000 },
      );
      const endedMs = attempt.startedAt.getTime() + attempt.durationMs;
      const waitMs = (nextAttemptAt?.getTime() ?? 0) - endedMs;
      expect(waitMs).toBeGreaterThanOrEqual(leastMs);
      expect(waitMs).toBeLessThanOrEqual(leastMs * 1.2 + 1_000);
      await receiver.close();
    },
  );

  test('given a first attempt that failed, when its time has come, then the same bytes come again under the same id with a fresh signature', async () => {
    const receiver = await openReceiver();
    receiver.answerWith(() => (receiver.received.length === 1 ? 500 : 200));
    const customer = await world.customer();
    const webhook = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const mailJobId = await send(customer);
    await settled(mailJobId, 'due');
    // As if the five seconds had passed: the row and its endpoint are due now.
    await Delivery.updateOne({ mailJobId }, { nextAttemptAt: plusMs(new Date(), -1) });
    await Endpoint.updateOne({ _id: webhook.body.id }, { $set: { 'due.at': plusMs(new Date(), -1) } });
    await settled(mailJobId, 'delivered', 2);
    const [first, second] = receiver.received;
    expect(second?.raw).toBe(first?.raw);
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
    expect(second?.headers['x-service-attempt']).toBe('2');
    for (const delivery of receiver.received) expect(isSignedBy(webhook.body.secret, delivery)).toBe(true);
    const deliveryId = String(first?.headers['x-service-delivery']);
    const attempts = await DeliveryAttempt.find({ deliveryId }).sort({ number: 1 }).lean<DeliveryAttemptRecord[]>();
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 200],
    ]);
    await receiver.close();
  });

  test('given a receiver that answers 410, when an event is delivered, then its webhook is disabled and the rest discarded', async () => {
    const receiver = await openReceiver();
    receiver.answerWith(() => 410);
    const customer = await world.customer();
    const webhook = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const mailJobId = await send(customer);
    await settled(mailJobId, 'discarded');
    expect((await customer.http.get('/v1/webhooks')).body.data).toEqual([]);
    const { body } = await customer.http.get('/v1/webhooks?status=disabled');
    expect(body.data).toMatchObject([{ id: webhook.body.id, status: 'disabled', disabledReason: 'GONE' }]);
    await receiver.close();
  });

  test('given a letter with an address of its own, when things happen to it, then they are told there alone, signed with the job secret', async () => {
    const [own, webhook] = [await openReceiver(), await openReceiver()];
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: webhook.url, events: ['MAIL_QUEUED', 'MAIL_FAILED'] });
    const mailJobId = await send(customer, { webhookUrl: own.url });
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    await eventually(() => expect(own.received).toHaveLength(2), { withinMs: 8_000 });
    expect(own.received.map(({ body }) => body.event).sort()).toEqual(['MAIL_FAILED', 'MAIL_QUEUED']);
    const secret = await customer.jobWebhookSecret();
    for (const delivery of own.received) expect(isSignedBy(secret, delivery)).toBe(true);
    expect(webhook.received).toEqual([]);
    await Promise.all([own.close(), webhook.close()]);
  });

  test('given a direct jump to delivered, when a webhook wants all kinds, then only the first and the reached status are told', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'];
    await customer.http.post('/v1/webhooks', { url: receiver.url, events });
    const mailJobId = await send(customer);
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'delivered' });
    await eventually(async () => expect(await Delivery.countDocuments({ mailJobId, state: 'delivered' })).toBe(2), {
      withinMs: 8_000,
    });
    expect(receiver.received.map(({ body }) => body.event).sort()).toEqual(['MAIL_DELIVERED', 'MAIL_QUEUED']);
    await receiver.close();
  });

  test('given two webhooks of one owner and one of another mode, when an event happens, then each of the two gets it once', async () => {
    const [first, second, live] = [await openReceiver(), await openReceiver(), await openReceiver()];
    const customer = await world.customer();
    const other = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    await customer.http.post('/v1/webhooks', { url: first.url, events: ['MAIL_QUEUED'] });
    await customer.http.post('/v1/webhooks', { url: second.url, events: ['MAIL_QUEUED', 'MAIL_FAILED'] });
    await other.http.post('/v1/webhooks', { url: live.url, events: ['MAIL_QUEUED'] });
    const mailJobId = await send(customer);
    await eventually(async () => expect(await Delivery.countDocuments({ mailJobId, state: 'delivered' })).toBe(2), {
      withinMs: 8_000,
    });
    expect([first, second, live].map(({ received }) => received.length)).toEqual([1, 1, 0]);
    await Promise.all([first, second, live].map((receiver) => receiver.close()));
  });
});
