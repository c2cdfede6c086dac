import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Webhook, type WebhookRecord } from '../../common/webhooks/webhook.model.ts';
import { standingClock } from '../support/clock.ts';
import type { Customer } from '../support/customer.ts';
import { issuePaths } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const url = 'https://127.0.0.1/hook';

describe('a webhook that is looked at and changed', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  let customer: Customer;
  beforeAll(async () => {
    customer = await world.customer();
  });
  async function create(by = customer) {
    const { body } = await by.http.post('/v1/webhooks', { url, events: ['MAIL_POSTED'], description: 'ERP' });
    const { secret, ...shown } = body;
    return { path: `/v1/webhooks/${shown.id}`, shown, secret };
  }
  const storedSecret = async (path: string) => (await Webhook.findById(path.slice(13)).orFail().lean()).secret;

  test('given a webhook, when it is read, then it is as it was created, without its secret', async () => {
    const { path, shown } = await create();
    expect(await customer.http.get(path)).toMatchObject({ status: 200, body: shown });
    expect(Object.keys((await customer.http.get(path)).body).sort()).toEqual(Object.keys(shown).sort());
  });

  test.each([
    ['a url', { url: 'https://127.0.0.1:8443/next' }, { url: 'https://127.0.0.1:8443/next' }],
    ['kinds', { events: ['MAIL_FAILED', 'MAIL_QUEUED', 'MAIL_FAILED'] }, { events: ['MAIL_QUEUED', 'MAIL_FAILED'] }],
    ['a description', { description: ' Our  shop ' }, { description: 'Our  shop' }],
    ['no description', { description: null }, { description: null }],
    ['what it has', { status: 'active' }, {}],
    ['disabled', { status: 'disabled' }, { status: 'disabled', disabledReason: 'OWNER' }],
  ])('given a webhook, when it is given %s, then that has changed and nothing else', async (_what, patch, changes) => {
    const { path, shown } = await create();
    const secret = await storedSecret(path);
    clock.advance(1_000);
    const expected = { ...shown, ...changes, updatedAt: clock.now().toISOString() };
    const answer = await customer.http.patch(path, patch);
    expect([answer.status, answer.body]).toEqual([200, expected]);
    expect((await customer.http.get(path)).body).toEqual(expected);
    expect(await storedSecret(path)).toBe(secret);
  });

  test.each([
    ['nothing', {}, ['']],
    ['an address that nobody may call', { url: 'https://10.0.0.1/' }, ['url']],
    ['an address that is none', { url: 'hook' }, ['url']],
    ['no kinds', { events: [] }, ['events']],
    ['another status', { status: 'deleted' }, ['status']],
    ['null where a value must be', { url: null, events: null, status: null }, ['events', 'status', 'url']],
    ['fields that nobody knows', { secret: 'mine', mode: 'live', description: 'x' }, ['mode', 'secret']],
  ])('given a webhook, when it is given %s, then 400 and it stays', async (_what, patch, paths) => {
    const { path, shown } = await create();
    const answer = await customer.http.patch(path, patch);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect([...new Set(issuePaths(answer).map((each) => each.split('.')[0]))].sort()).toEqual(paths);
    expect((await customer.http.get(path)).body).toEqual(shown);
  });

  test('given one that we have disabled, when it is disabled once more and then enabled, then its reason stays until it is active', async () => {
    const { path, shown } = await create();
    await Webhook.updateOne({ _id: shown.id }, { status: 'disabled', disabledReason: 'GONE' });
    expect((await customer.http.patch(path, { status: 'disabled' })).body).toMatchObject({ disabledReason: 'GONE' });
    const enabled = await customer.http.patch(path, { status: 'active', description: 'mended' });
    expect(enabled.body).toMatchObject({ status: 'active', disabledReason: null, description: 'mended' });
    expect((await customer.http.get('/v1/webhooks')).body.data).toContainEqual(enabled.body);
  });

  test('given a disabled webhook and 99 active ones, when two are enabled at once, then one is, and the other gets 409', async () => {
    const owner = await world.customer();
    const { shown } = await create(owner);
    const record = await Webhook.findById(shown.id).orFail().lean<WebhookRecord>();
    const others = Array.from({ length: 100 }, () => ({ ...record, _id: newId('wh') }));
    await Webhook.insertMany(others);
    const [first = '', second = ''] = [shown.id, others[0]?._id];
    await Webhook.updateMany({ _id: { $in: [first, second] } }, { status: 'disabled' });
    const answers = await Promise.all(
      [first, second].map((id) => owner.http.patch(`/v1/webhooks/${id}`, { status: 'active' })),
    );
    expect(answers.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [200, undefined],
      [409, 'LIMIT_REACHED'],
    ]);
    // What is active already needs no new place.
    expect((await owner.http.patch(`/v1/webhooks/${others[1]?._id}`, { status: 'active' })).status).toBe(200);
  });

  test('given a webhook that is disabled or deleted, when it is to be pinged or to deliver again, then 409 or 404', async () => {
    const { path } = await create();
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
    expect((await customer.http.get(`${path}/deliveries`)).body.data).toMatchObject([{ state: 'discarded' }]);
    expect((await customer.http.post(`${path}/rotate-secret`)).status).toBe(200);
    await customer.http.delete(path);
    for (const [each, body] of asks) expect((await customer.http.post(each, body)).status).toBe(404);
    expect((await customer.http.post(`${path}/rotate-secret`)).status).toBe(404);
    expect((await customer.http.patch(path, { status: 'active' })).status).toBe(404);
    expect((await customer.http.get(`${path}/deliveries`)).status).toBe(404);
  });

  test('given a delivery that a worker is busy with, one of another webhook, and one that nobody has, when each is to be sent again, then 409, 404, 404', async () => {
    const { path } = await create();
    const other = await create();
    const { deliveryId } = (await customer.http.post(`${path}/ping`)).body;
    const redeliver = (id: string, of = path) => customer.http.post(`${of}/deliveries/${id}/redeliver`);
    await Delivery.updateOne({ _id: deliveryId }, { state: 'sending', leaseToken: 'a worker' });
    expect(await redeliver(deliveryId)).toMatchObject({ status: 409, body: { code: 'DELIVERY_IN_FLIGHT' } });
    expect(await Delivery.findById(deliveryId).lean()).toMatchObject({ state: 'sending', leaseToken: 'a worker' });
    expect((await redeliver(deliveryId, other.path)).status).toBe(404);
    for (const id of [newId('whd'), 'x', '%FF']) expect((await redeliver(id)).status).toBe(404);
  });

  test.each([
    ['14 days and a second back', -(14 * 86_400 + 1), 400],
    ['14 days back', -14 * 86_400, 200],
    ['the present', 0, 200],
    ['a time to come', 1, 400],
  ])('given %s, when failed deliveries since then are asked for, then it is judged', async (_what, seconds, status) => {
    const { path } = await create();
    const since = new Date(clock.now().getTime() + seconds * 1_000).toISOString();
    expect((await customer.http.post(`${path}/redeliver-failed`, { since })).status).toBe(status);
  });

  test.each([[-1], [25], [0.5], ['1'], ['']])(
    'given an overlap of %p hours, when the secret is rotated, then 400, and it stays',
    async (overlapHours) => {
      const { path } = await create();
      const secret = await storedSecret(path);
      expect((await customer.http.post(`${path}/rotate-secret`, { overlapHours })).status).toBe(400);
      expect(await storedSecret(path)).toBe(secret);
    },
  );
});
