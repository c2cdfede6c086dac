// Level: push
import { plusMs } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, eventually, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook, numbersOf, subscribe } from '#test/support/webhooks/receiver.ts';

describe('POST /v1/webhooks/{id}/redeliver-failed', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const sender = openOnce(() => world.customer());

  test('a bulk retry sends all that a disabled webhook missed, once', async () => {
    const { receiver, id, path, settled, deliveries, end } = await subscribe(sender);
    const since = new Date().toISOString();
    // After a 503 the next attempt comes a minute later.
    receiver.answerWith(() => 503);
    await sender.send();
    const delivery = await settled({ status: 'due', attemptCount: 1 });
    const row = await Delivery.findById(delivery.id).orFail().lean<DeliveryRecord>();
    const lost = Array.from({ length: 30 }, (_, n) => ({
      ...row,
      ...{ _id: newId('whd'), eventId: newId('evt'), nextAttemptAt: null },
      ...{ state: n % 2 ? 'failed' : 'discarded', createdAt: plusMs(row.createdAt, n < 28 ? n : -3_600_000) },
    }));
    await Delivery.insertMany(lost);
    receiver.answerWith(() => 200);
    expect((await sender.http.patch(path, { status: 'disabled' })).body.status).toBe('disabled');
    expect((await deliveries('?status=discarded')).map((each: { id: string }) => each.id)).toContain(delivery.id);
    await sender.http.patch(path, { status: 'active' });
    const { status, body } = await sender.http.post(`${path}/redeliver-failed`, { since });
    // 28 since then, and the one discarded when the webhook was disabled.
    expect([status, body]).toEqual([200, { redelivered: 29, hasMore: false }]);
    await eventually(async () => expect(await deliveries('?status=delivered&limit=100')).toHaveLength(29));
    expect(numbersOf(receiver)).toEqual(['1', ...Array(29).fill('2')]);
    expect((await sender.http.post(`${path}/redeliver-failed`, { since })).body.redelivered).toBe(0);
    expect(await Delivery.countDocuments({ webhookId: id, state: { $in: ['failed', 'discarded'] } })).toBe(2);
    await end();
  });

  test('repeating a bulk retry that was interrupted before its hint sends its deliveries', async () => {
    const { receiver, id, path, settled, end } = await subscribe(sender);
    await sender.send();
    await settled({ status: 'delivered' });
    const at = plusMs(new Date(), -1_000);
    const findDue = () => Endpoint.findOne({ _id: id, due: { $exists: true } });
    await eventually(async () => expect(await findDue()).toBeNull());
    await Delivery.updateOne({ webhookId: id }, { state: 'due', isManual: true, nextAttemptAt: at });
    const again = await sender.http.post(`${path}/redeliver-failed`, { since: at.toISOString() });
    expect(again.body).toEqual({ redelivered: 0, hasMore: false });
    await settled({ status: 'delivered', attemptCount: 2 });
    expect(numbersOf(receiver)).toEqual(['1', '2']);
    await end();
  });
});

describe('the range of redeliver-failed', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const customer = openOnce(() => world.customer());

  test.each([
    ['14 days and a second back', -(14 * 86_400 + 1), 400],
    ['14 days back', -14 * 86_400, 200],
    ['the present', 0, 200],
    ['a time to come', 1, 400],
  ])('redeliver-failed checks its range: %s', async (_what, seconds, status) => {
    const { path } = await addWebhook(customer);
    const since = new Date(clock.now().getTime() + seconds * 1_000).toISOString();
    expect((await customer.http.post(`${path}/redeliver-failed`, { since })).status).toBe(status);
  });
});
