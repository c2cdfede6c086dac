import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { eventKinds } from '../../common/webhooks/event.model.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import type { Answer } from '../support/client.ts';
import { standingClock } from '../support/clock.ts';
import type { Customer } from '../support/customer.ts';
import { issuePaths } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const url = 'https://127.0.0.1/hook';
const notFound = { status: 404, body: { code: 'NOT_FOUND' } };
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);

describe('webhooks', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  let customer: Customer;
  beforeAll(async () => {
    customer = await world.customer();
  });
  const create = (overrides: Record<string, unknown> = {}, by = customer) =>
    by.http.post('/v1/webhooks', { url, events: ['MAIL_POSTED'], ...overrides });

  test('given a url and kinds, when a webhook is created, then 201 with all its fields and its secret', async () => {
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
      createdAt: at,
      updatedAt: at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });

  test('given several webhooks, when they are listed, then newest first and never with a secret', async () => {
    const owner = await world.customer();
    const created = [await create({}, owner), await create({ events: ['MAIL_FAILED'] }, owner)];
    const { status, body } = await owner.http.get('/v1/webhooks');
    expect(status).toBe(200);
    const [first, second] = created.map(({ body: { secret: _, ...shown } }) => shown);
    expect(body).toEqual({ data: [second, first], hasMore: false, nextCursor: null });
    const secrets = created.map(({ body: { secret } }) => secret);
    expect(new Set(secrets).size).toBe(2);
    // Neither on the wire nor, in the clear, in the database.
    const stored = JSON.stringify(await Webhook.find({ organizationId: owner.organizationId }).lean());
    for (const secret of secrets) {
      expect(JSON.stringify(body)).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
  });

  test('given kinds that repeat, when a webhook is created, then each is there once', async () => {
    const events = ['MAIL_POSTED', 'MAIL_QUEUED', 'MAIL_POSTED', 'MAIL_QUEUED', 'MAIL_POSTED'];
    const { status, body } = await create({ events });
    expect(status).toBe(201);
    expect(body.events.sort()).toEqual(['MAIL_POSTED', 'MAIL_QUEUED']);
  });

  test.each([
    [
      'events',
      [[...eventKinds], ['MAIL_FAILED']],
      [[], ['MAIL_LOST'], ['mail_posted'], 'MAIL_POSTED', null, {}, [null]],
    ],
    ['description', ['x'.repeat(255), null, undefined], ['', 'x'.repeat(256), 'a\u0000b', 7]],
    [
      'url',
      [
        'https://localhost:8443/',
        'http://127.0.0.1:9/x',
        'https://no-such-name.invalid/x',
        `${url}/${'x'.repeat(2_025)}`,
      ],
      [
        ...['', 'hook', 'http://example.com/', 'ftp://example.com/', 'https://user:pw@example.com/', null, 7],
        ...[
          'https://example.com:22/',
          'https://10.0.0.1/',
          'https://169.254.169.254/latest',
          'https://0/',
          'https://[::]/',
        ],
        ...[
          'https://[::ffff:10.0.0.1]/',
          'https://0x0a000001/',
          'https://192.168.1.1.',
          'https://exa mple.com/',
          'javascript:alert(1)',
        ],
        `${url}/${'x'.repeat(2_026)}`,
      ],
    ],
  ])(
    'given %s, when each good value is sent, then 201, and with each bad one 400 names it',
    async (field, good, bad) => {
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
    },
  );

  test('given unknown and missing fields, when a webhook is created, then 400 names all of them', async () => {
    const answer = await customer.http.post('/v1/webhooks', { event: 'MAIL_POSTED', secret: 'mine' });
    expect(answer.status).toBe(400);
    expect(issuePaths(answer).sort()).toEqual(['event', 'events', 'secret', 'url']);
  });

  test('given a webhook, when it is deleted, then it is gone from the list, and a second delete is 404', async () => {
    const owner = await world.customer();
    const [kept, gone] = [(await create({}, owner)).body.id, (await create({}, owner)).body.id];
    const first = await owner.http.delete(`/v1/webhooks/${gone}`);
    expect([first.status, first.body]).toEqual([200, { id: gone, deleted: true }]);
    expect(idsOf(await owner.http.get('/v1/webhooks'))).toEqual([kept]);
    expect(idsOf(await owner.http.get('/v1/webhooks?status=disabled'))).toEqual([]);
    expect(await owner.http.delete(`/v1/webhooks/${gone}`)).toMatchObject(notFound);
    expect(await owner.http.get(`/v1/webhooks/${gone}`)).toMatchObject(notFound);
  });

  test('given a webhook of another organization or mode, when it is listed or deleted, then it is not there', async () => {
    const { id } = (await create()).body;
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    for (const other of [await world.customer(), live]) {
      expect(idsOf(await other.http.get('/v1/webhooks'))).toEqual([]);
      expect(await other.http.delete(`/v1/webhooks/${id}`)).toMatchObject(notFound);
    }
    for (const strange of [newId('wh'), 'x', id.toUpperCase(), `mj_${id.slice(3)}`, '%FF']) {
      expect(await customer.http.delete(`/v1/webhooks/${strange}`)).toMatchObject(notFound);
    }
    expect(idsOf(await customer.http.get('/v1/webhooks'))).toContain(id);
  });

  test('given a webhook that was disabled, when they are listed, then it is among the disabled alone', async () => {
    const owner = await world.customer();
    const [active, disabled] = [(await create({}, owner)).body.id, (await create({}, owner)).body.id];
    await Webhook.updateOne({ _id: disabled }, { status: 'disabled', disabledReason: 'GONE' });
    expect(idsOf(await owner.http.get('/v1/webhooks'))).toEqual([active]);
    expect(idsOf(await owner.http.get('/v1/webhooks?status=active'))).toEqual([active]);
    const { body } = await owner.http.get('/v1/webhooks?status=disabled');
    expect(body.data).toMatchObject([{ id: disabled, status: 'disabled', disabledReason: 'GONE' }]);
    expect((await owner.http.get('/v1/webhooks?status=deleted')).status).toBe(400);
  });
});
