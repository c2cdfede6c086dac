// Level: push
import { eventKinds } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { Webhook, type WebhookRecord } from '#common/webhooks/registry/webhook.model.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { type Customer, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

const url = 'https://127.0.0.1/hook';
const limitReached = { status: 409, body: { code: 'LIMIT_REACHED', message: expect.any(String) } };

describe('POST /v1/webhooks', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const customer = openOnce(() => world.customer());
  const create = (overrides: Record<string, unknown> = {}, by: Customer = customer) =>
    by.http.post('/v1/webhooks', { url, events: ['MAIL_POSTED'], ...overrides });
  /** Stores copies of a webhook that the customer has, and returns their ids. */
  async function copy(by: Customer, count: number, changes: Partial<WebhookRecord> = {}): Promise<string[]> {
    const { body } = await by.http.get('/v1/webhooks');
    const original = await Webhook.findById(body.data[0].id).orFail().lean();
    const copies = Array.from({ length: count }, () => ({ ...original, ...changes, _id: newId('wh') }));
    await Webhook.insertMany(copies);
    return copies.map(({ _id }) => _id);
  }

  test('creating a webhook returns 201 with all fields and the secret', async () => {
    const { status, body } = await create({ events: [...eventKinds], description: ' Our  ERP ' });
    expect(status).toBe(201);
    const at = clock.now().toISOString();
    expect(body).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
      url,
      events: [...eventKinds],
      description: 'Our  ERP',
      mode: 'test',
      status: 'active',
      disabledReason: null,
      createdBy: { kind: 'api_key', id: expect.stringMatching(/^test[a-z2-7]{16}$/) },
      createdAt: at,
      updatedAt: at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });

  test('repeated event kinds are stored once', async () => {
    const events = ['MAIL_POSTED', 'MAIL_QUEUED', 'MAIL_POSTED', 'MAIL_QUEUED', 'MAIL_POSTED'];
    const { status, body } = await create({ events });
    expect(status).toBe(201);
    expect(body.events.sort()).toEqual(['MAIL_POSTED', 'MAIL_QUEUED']);
  });

  const localUrls = ['https://localhost:8443/', 'http://127.0.0.1:9/x', 'https://no-such-name.invalid/x'];
  const malformedUrls = ['', 'hook', 'https://exa mple.com/', 'javascript:alert(1)', null, 7];
  const otherUrls = [
    'http://example.com/',
    'ftp://example.com/',
    'https://user:pw@example.com/',
    'https://example.com:22/',
  ];
  const privateUrls = ['https://10.0.0.1/', 'https://169.254.169.254/latest', 'https://0/', 'https://[::]/'];
  const disguisedUrls = ['https://[::ffff:10.0.0.1]/', 'https://0x0a000001/', 'https://192.168.1.1.'];

  test.each([
    [
      'events',
      [[...eventKinds], ['MAIL_FAILED']],
      [[], ['MAIL_LOST'], ['mail_posted'], 'MAIL_POSTED', null, {}, [null]],
    ],
    ['description', ['x'.repeat(255), null, undefined], ['', 'x'.repeat(256), 'a\u0000b', 7]],
    [
      'url',
      [...localUrls, `${url}/${'x'.repeat(2_025)}`],
      [...malformedUrls, ...otherUrls, ...privateUrls, ...disguisedUrls, `${url}/${'x'.repeat(2_026)}`],
    ],
  ])('%s accepts valid values and refuses invalid ones with 400', async (field, good, bad) => {
    const owner = await world.customer();
    for (const value of good) {
      const answer = await create({ [field]: value }, owner);
      expect([value, answer.status, answer.body.issues]).toEqual([value, 201, undefined]);
    }
    for (const value of bad) {
      const answer = await create({ [field]: value }, owner);
      expect([value, answer.status, answer.body.code]).toEqual([value, 400, 'VALIDATION_ERROR']);
      for (const path of issuePaths(answer)) expect([value, path.split('.')[0]]).toEqual([value, field]);
    }
    expect((await owner.http.get('/v1/webhooks')).body.data).toHaveLength(good.length);
  });

  test('unknown and missing fields are 400, which names all of them', async () => {
    const answer = await customer.http.post('/v1/webhooks', { event: 'MAIL_POSTED', secret: 'mine' });
    expect(answer.status).toBe(400);
    expect(issuePaths(answer).sort()).toEqual(['event', 'events', 'secret', 'url']);
  });

  test('beyond 100 active webhooks creation is 409 until one is deleted or disabled', async () => {
    const owner = await world.customer();
    await create({}, owner);
    const ids = await copy(owner, 98);
    expect((await create({}, owner)).status).toBe(201);
    expect(await create({}, owner)).toMatchObject(limitReached);
    await owner.http.delete(`/v1/webhooks/${ids[0]}`);
    expect((await create({}, owner)).status).toBe(201);
    expect(await create({}, owner)).toMatchObject(limitReached);
    await Webhook.updateOne({ _id: ids[1] as string }, { status: 'disabled' });
    expect((await create({}, owner)).status).toBe(201);
    expect(await create({}, owner)).toMatchObject(limitReached);
    // The other mode and other organizations have separate limits.
    const live = await world.customer({ organizationId: owner.organizationId, mode: 'live' });
    expect((await create({}, live)).status).toBe(201);
    expect((await create({}, await world.customer())).status).toBe(201);
  });

  test('of 20 webhooks created at once beside 95 active ones, five are accepted', async () => {
    const owner = await world.customer();
    await create({}, owner);
    await copy(owner, 94);
    const answers = await Promise.all(Array.from({ length: 20 }, () => untilAnswered(() => create({}, owner))));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(15).fill(409)]);
    const { body } = await owner.http.get('/v1/webhooks');
    expect([body.data.length, body.hasMore]).toEqual([100, false]);
  });

  test('beyond 1,000 disabled webhooks creation is 409 until one is deleted', async () => {
    const owner = await world.customer();
    const { body: first } = await create({}, owner);
    await copy(owner, 999, { status: 'disabled', disabledReason: 'OWNER' });
    expect(await create({}, owner)).toMatchObject(limitReached);
    await owner.http.delete(`/v1/webhooks/${first.id}`);
    expect((await create({}, owner)).status).toBe(201);
  });
});

describe('a configured limit of two active webhooks', () => {
  const world = startWorld({ environment: { MAX_ACTIVE_WEBHOOKS: '2' }, hasTariffs: false });

  test('creating or enabling a third webhook is 409 and names the limit', async () => {
    const { http } = await world.customer();
    const create = () => http.post('/v1/webhooks', { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED'] });
    const limitReached = { status: 409, body: { code: 'LIMIT_REACHED', message: expect.stringContaining('2 active') } };
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await create()).toMatchObject(limitReached);
    await http.patch(`/v1/webhooks/${first.body.id}`, { status: 'disabled' });
    expect((await create()).status).toBe(201);
    expect(await http.patch(`/v1/webhooks/${first.body.id}`, { status: 'active' })).toMatchObject(limitReached);
  });
});
