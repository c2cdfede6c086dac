// Level: push
import mongoose from 'mongoose';
import { keepsKeys } from '#api/route.ts';
import { routes } from '#api/routes/index.ts';
import { Address } from '#common/addresses/address.model.ts';
import { IdempotencyKey } from '#common/platform/idempotency/idempotency-key.model.ts';
import { aList, uploadForBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { makeResource, pathOf, requestOf, routeRows, verbOf } from '#test/support/product/all-routes.ts';
import { aSender, bookEntry } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

const withKey = (key: string) => ({ 'idempotency-key': key });
const hook = { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED'] };
/** Of the routes that create something. */
const bodies: Record<string, object> = {
  'POST /v1/addresses': bookEntry,
  'POST /v1/templates': { name: 'Keyed', language: 'en', text: 'Hello' },
  'POST /v1/webhooks': hook,
};
/** What differs in the answer to a repeat: secrets are shown once. */
const changing = { secret: null, message: null };
const isPost = ({ method }: { method: string }) => method === 'post';

describe('Idempotency-Key', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const other = openOnce(() => aSender(world));
  /** Returns the rows of all collections. */
  async function readRows(): Promise<object> {
    const all = await mongoose.connection.db!.collections();
    const kept = all.filter(({ collectionName }) => collectionName !== 'api_keys');
    const rows = kept.map(async (each) => [each.collectionName, await each.find().sort({ _id: 1 }).toArray()] as const);
    return Object.fromEntries(await Promise.all(rows));
  }

  test('every POST declares what a repeat does, and no other method does', () => {
    const declared = routes.filter(({ repeat }) => repeat !== undefined);
    expect(declared.map(({ operationId }) => operationId)).toEqual(
      routes.filter(isPost).map(({ operationId }) => operationId),
    );
    const harmless = declared.filter(({ repeat }) => repeat === 'harmless').map(({ path }) => path);
    const checks = ['/v1/preflight', '/v1/quote', '/v1/templates/{id}/preview'];
    expect(harmless.sort()).toEqual(['/v1/bulk/uploads', ...checks, '/v1/uploads']);
  });

  test.each(routeRows.filter(([, route]) => keepsKeys(route)))('%s is carried out once', async (name, route) => {
    const id = route.path.includes('{id}') ? await makeResource(route, sender) : undefined;
    const body = name === 'POST /v1/bulk' ? await uploadForBulk(sender, aList(1)) : bodies[name];
    const headers = { ...withKey(name), 'content-type': 'application/json' };
    const request = body ? { body: JSON.stringify(body) } : requestOf(route);
    const ask = () => sender.http.request(verbOf(route), pathOf(route, id), { ...request, headers });
    const first = await ask();
    expect([200, 201, 202]).toContain(first.status);
    const before = await readRows();
    const again = await ask();
    expect([again.status, { ...again.body, ...changing }]).toEqual([200, { ...first.body, ...changing }]);
    if ('secret' in first.body) expect(again.body).toMatchObject({ secret: null, message: /rotate-secret/ });
    expect(await readRows()).toEqual(before);
    const mismatch = await sender.http.post('/v1/addresses', { ...bookEntry, label: 'other' }, withKey(name));
    expect(mismatch).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } });
  });

  test.each([
    ['/v1/uploads', 'application/pdf'],
    ['/v1/bulk/uploads', 'text/csv'],
  ])('a key at %s is not kept, so it does not count', async (path, mimeType) => {
    const before = await IdempotencyKey.countDocuments();
    const ask = () => sender.http.post(path, { filename: 'a', mimeType, sizeBytes: 9 }, withKey('a file'));
    for (const { status } of [await ask(), await ask()]) expect(status).toBe(200);
    expect(await IdempotencyKey.countDocuments()).toBe(before);
  });

  test.each(['/v1/quote', '/v1/mails/mj_1/cancel', '/v1/addresses'])('a key of 256 characters at %s', async (path) => {
    const { status, body } = await sender.http.post(path, {}, withKey('k'.repeat(256)));
    const isIgnored = path === '/v1/quote';
    const paths = (body.issues ?? []).map((issue: { path: string[] }) => issue.path.join());
    expect([status, paths.includes('idempotency-key')]).toEqual([400, !isIgnored]);
  });

  test('a repeat shows what was created as it is now, and is not found once that is deleted', async () => {
    const create = () => sender.http.post('/v1/addresses', { ...bookEntry, label: 'now' }, withKey('now'));
    const { body } = await create();
    await sender.http.patch(`/v1/addresses/${body.id}`, { city: 'Gent' });
    expect(await create()).toMatchObject({ status: 200, body: { id: body.id, city: 'Gent' } });
    await sender.http.delete(`/v1/addresses/${body.id}`);
    expect((await create()).status).toBe(404);
    expect(await Address.countDocuments({ label: 'now' })).toBe(0);
  });

  test('of twenty requests at once one creates, and all answer the same', async () => {
    const create = () => sender.http.post('/v1/addresses', { ...bookEntry, label: 'at once' }, withKey('at once'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => untilAnswered(create)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await Address.countDocuments({ label: 'at once' })).toBe(1);
  });

  test('a request that was refused frees its key, one whose answer was lost does not', async () => {
    const create = (url: string) => sender.http.post('/v1/webhooks', { ...hook, url }, withKey('mended'));
    expect((await create('https://example.com:22/')).status).toBe(400);
    expect((await create(hook.url)).status).toBe(201);
    const headers = { ...withKey('lost'), 'bluejay-sandbox': 'answer-lost' };
    const lost = await sender.http.post('/v1/addresses', { ...bookEntry, label: 'lost' }, headers);
    expect(lost.status).toBeGreaterThanOrEqual(500);
    const again = await sender.http.post('/v1/addresses', { ...bookEntry, label: 'lost' }, withKey('lost'));
    expect([again.status, await Address.countDocuments({ label: 'lost' })]).toEqual([200, 1]);
  });

  test('the same key in another organization or mode is independent, and no answer has a stored secret', async () => {
    const live = await aSender(world, { organizationId: sender.organizationId, mode: 'live', balanceCents: 1 });
    const created = [];
    for (const each of [sender, live, other]) created.push(await each.http.post('/v1/webhooks', hook, withKey('same')));
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(3);
    const rows = JSON.stringify(await IdempotencyKey.find().lean());
    for (const { body } of created) expect([rows.includes(body.id), rows.includes(body.secret)]).toEqual([true, false]);
  });
});
