// Level: push
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook, numbersOf, subscribe } from '#test/support/webhooks/receiver.ts';

describe('POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });

  test('a manual retry is the next attempt under the same id, and its failure is final', async () => {
    const sender = await world.customer();
    const { receiver, path, settled, end } = await subscribe(sender);
    // After a 503 the next attempt comes a minute later.
    receiver.answerWith(() => 503);
    await sender.send();
    // The list of attempts is written beside the delivery, and may be read a moment before it.
    const first = await settled({ status: 'due', attemptCount: 1, isManual: false, attempts: [{ number: 1 }] });
    expect(first.attempts).toEqual([
      {
        ...{ number: 1, status: 503, errorClass: null, replyHead: '' },
        ...{ startedAt: expect.any(String), endedAt: expect.any(String) },
      },
    ]);
    expect(first.attempts[0].endedAt >= first.attempts[0].startedAt).toBe(true);
    // A delivery that waits for a retry keeps its later attempts.
    const sooner = await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    expect(sooner).toMatchObject({ status: 200, body: { id: first.id, status: 'due', isManual: false } });
    const second = await settled({ status: 'due', attemptCount: 2, isManual: false });
    expect(Date.parse(second.nextAttemptAt)).toBeGreaterThan(Date.now());
    await Delivery.updateOne({ _id: first.id }, { state: 'failed', nextAttemptAt: null });
    const again = await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    expect(again.body).toMatchObject({ status: 'due', isManual: true, attemptCount: 2 });
    await settled({ status: 'failed', attemptCount: 3, isManual: true, nextAttemptAt: null, lastResult: '503' });
    receiver.answerWith(() => 200);
    await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    const attempts = [200, 503, 503, 503].map((status, index) => ({ number: 4 - index, status }));
    await settled({ status: 'delivered', attemptCount: 4, attempts });
    // A delivered one can be sent again.
    await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    await settled({ status: 'delivered', attemptCount: 5 });
    expect(numbersOf(receiver)).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(new Set([first.id]));
    await end();
  });
});

describe('redelivery that is refused', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const customer = openOnce(() => world.customer());

  test('ping and redelivery are 409 for a disabled webhook and 404 for a deleted one', async () => {
    const { path } = await addWebhook(customer);
    const { deliveryId } = (await customer.http.post(`${path}/ping`)).body;
    const since = clock.now().toISOString();
    const asks: [string, object?][] = [
      [`${path}/ping`],
      [`${path}/deliveries/${deliveryId}/redeliver`],
      [`${path}/redeliver-failed`, { since }],
    ];
    await customer.http.patch(path, { status: 'disabled' });
    expect(await Delivery.findById(deliveryId).lean()).toMatchObject({ state: 'discarded', nextAttemptAt: null });
    for (const [each, body] of asks) {
      expect(await customer.http.post(each, body)).toMatchObject({ status: 409, body: { code: 'WEBHOOK_DISABLED' } });
    }
    expect((await customer.http.get(`${path}/deliveries`)).body.data).toMatchObject([{ status: 'discarded' }]);
    expect((await customer.http.post(`${path}/rotate-secret`)).status).toBe(200);
    await customer.http.delete(path);
    for (const [each, body] of asks) expect((await customer.http.post(each, body)).status).toBe(404);
    expect((await customer.http.post(`${path}/rotate-secret`)).status).toBe(404);
    expect((await customer.http.patch(path, { status: 'active' })).status).toBe(404);
    expect((await customer.http.get(`${path}/deliveries`)).status).toBe(404);
  });

  test('redelivery is 409 for a delivery in flight and 404 for one of another webhook', async () => {
    const { path } = await addWebhook(customer);
    const other = await addWebhook(customer);
    const { deliveryId } = (await customer.http.post(`${path}/ping`)).body;
    const redeliver = (id: string, of = path) => customer.http.post(`${of}/deliveries/${id}/redeliver`);
    await Delivery.updateOne({ _id: deliveryId }, { state: 'sending', leaseToken: 'a worker' });
    expect(await redeliver(deliveryId)).toMatchObject({ status: 409, body: { code: 'DELIVERY_IN_FLIGHT' } });
    expect(await Delivery.findById(deliveryId).lean()).toMatchObject({ state: 'sending', leaseToken: 'a worker' });
    expect((await redeliver(deliveryId, other.path)).status).toBe(404);
  });
});
