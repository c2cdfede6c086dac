// Level: push
import { plusMs } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { Webhook, type WebhookRecord } from '#common/webhooks/registry/webhook.model.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook, numbersOf, openReceiver, subscribe } from '#test/support/webhooks/receiver.ts';

describe('PATCH /v1/webhooks/{id}', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const customer = openOnce(() => world.customer());
  const storedSecret = async (id: string) => (await Webhook.findById(id).orFail().lean()).secret;

  test.each([
    ['a url', { url: 'https://127.0.0.1:8443/next' }, { url: 'https://127.0.0.1:8443/next' }],
    ['kinds', { events: ['MAIL_FAILED', 'MAIL_QUEUED', 'MAIL_FAILED'] }, { events: ['MAIL_QUEUED', 'MAIL_FAILED'] }],
    ['a description', { description: ' Our  shop ' }, { description: 'Our  shop' }],
    ['no description', { description: null }, { description: null }],
    ['what it has', { status: 'active' }, {}],
    ['disabled', { status: 'disabled' }, { status: 'disabled', disabledReason: 'OWNER' }],
  ])('a patch with %s changes only that', async (_what, patch, changes) => {
    const { path, shown } = await addWebhook(customer);
    const secret = await storedSecret(shown.id);
    clock.advance(1_000);
    const expected = { ...shown, ...changes, updatedAt: clock.now().toISOString() };
    const answer = await customer.http.patch(path, patch);
    expect([answer.status, answer.body]).toEqual([200, expected]);
    expect((await customer.http.get(path)).body).toEqual(expected);
    expect(await storedSecret(shown.id)).toBe(secret);
  });

  test.each([
    ['nothing', {}, ['']],
    ['a blocked address', { url: 'https://10.0.0.1/' }, ['url']],
    ['an address that is none', { url: 'hook' }, ['url']],
    ['no kinds', { events: [] }, ['events']],
    ['another status', { status: 'deleted' }, ['status']],
    ['null where a value must be', { url: null, events: null, status: null }, ['events', 'status', 'url']],
    ['unknown fields', { secret: 'mine', mode: 'live', description: 'x' }, ['mode', 'secret']],
  ])('a patch with %s is 400 and changes nothing', async (_what, patch, paths) => {
    const { path, shown } = await addWebhook(customer);
    const answer = await customer.http.patch(path, patch);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect([...new Set(issuePaths(answer).map((each) => each.split('.')[0]))].sort()).toEqual(paths);
    expect((await customer.http.get(path)).body).toEqual(shown);
  });

  test('the reason of a disabled webhook stays until it is enabled', async () => {
    const { path, shown } = await addWebhook(customer);
    await Webhook.updateOne({ _id: shown.id }, { status: 'disabled', disabledReason: 'GONE' });
    expect((await customer.http.patch(path, { status: 'disabled' })).body).toMatchObject({ disabledReason: 'GONE' });
    const enabled = await customer.http.patch(path, { status: 'active', description: 'mended' });
    expect(enabled.body).toMatchObject({ status: 'active', disabledReason: null, description: 'mended' });
    expect((await customer.http.get('/v1/webhooks')).body.data).toContainEqual(enabled.body);
  });

  test('of two webhooks enabled at once beside 99 active ones, one gets 409', async () => {
    const owner = await world.customer();
    const { shown } = await addWebhook(owner);
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
    // A webhook that is already active needs no additional quota.
    expect((await owner.http.patch(`/v1/webhooks/${others[1]?._id}`, { status: 'active' })).status).toBe(200);
  });
});

describe('PATCH /v1/webhooks/{id} with deliveries waiting', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });

  test('a retry goes to the changed URL', async () => {
    const sender = await aSender(world);
    const { receiver, id, path, settled, end } = await subscribe(sender);
    const next = await openReceiver();
    // After a 503 the next attempt comes a minute later.
    receiver.answerWith(() => 503);
    await sender.send();
    await settled({ status: 'due', attemptCount: 1 });
    await sender.http.patch(path, { url: next.url });
    await Delivery.updateOne({ webhookId: id }, { nextAttemptAt: plusMs(new Date(), -1) });
    await Endpoint.updateOne({ _id: id }, { $set: { 'due.at': plusMs(new Date(), -1) } });
    await settled({ status: 'delivered', attemptCount: 2, url: next.url });
    expect([receiver.received.length, numbersOf(next)]).toEqual([1, ['2']]);
    await next.close();
    await end();
  });
});
