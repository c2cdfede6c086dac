// Level: push
import { aList, uploadForBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { makeResource, pathOf, requestOf, routeRows, verbOf } from '#test/support/product/all-routes.ts';
import { aSender, type Customer } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

/** Routes of the scope `send` whose answer shows a letter or a list: for its creator, or with `read`. */
const ofCreator = [
  ...['PATCH /v1/mails/{id}', 'POST /v1/mails/{id}/cancel', 'POST /v1/mails/{id}/redact'],
  ...['mapping', 'confirm', 'pause', 'resume', 'cancel'].map((action) => `POST /v1/bulk/{id}/${action}`),
];
/** Those that show neither. */
const ofAnyone = [
  ...['POST /v1/mails/{id}/simulate', 'GET /v1/preflight/{id}'],
  ...['PATCH /v1/templates/{id}', 'DELETE /v1/templates/{id}', 'POST /v1/templates/{id}/preview'],
  ...['POST /v1/sandbox/clocks/{id}/advance', 'DELETE /v1/sandbox/clocks/{id}'],
];

describe('the scope send without read', () => {
  const world = startWorld();
  const maker = openOnce(() => aSender(world, { scopes: ['send'] }));
  const other = openOnce(() => world.customer({ organizationId: maker.organizationId, scopes: ['send'] }));
  const reader = openOnce(() => world.customer({ organizationId: maker.organizationId, scopes: ['send', 'read'] }));
  const rows = routeRows.filter(([, { scope, path }]) => scope === 'send' && path.includes('{id}'));

  test.each(rows)('%s for what another credential has made', async (name, route) => {
    const isOfCreator = ofCreator.includes(name);
    expect([name, isOfCreator || ofAnyone.includes(name)]).toEqual([name, true]);
    for (const [caller, isAllowed] of [
      [other, !isOfCreator],
      [reader, true],
      [maker, true],
    ] as const) {
      const id = await makeResource(route, maker);
      const answer = await caller.http.request(verbOf(route), pathOf(route, id), requestOf(route));
      expect(answer.status).toBe(isAllowed ? 200 : 403);
      if (isAllowed) continue;
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="read"');
    }
  });

  const ofKeys = ['POST /v1/bulk', ...ofCreator.filter((name) => name.startsWith('POST'))];
  const keyed = routeRows.filter(([name]) => ofKeys.includes(name));
  test.each(keyed)('the repeat of %s by another credential with the same Idempotency-Key', async (name, route) => {
    const isCreation = name === 'POST /v1/bulk';
    const id = isCreation ? undefined : await makeResource(route, maker);
    const request = isCreation ? { body: JSON.stringify(await uploadForBulk(maker, aList(1))) } : requestOf(route);
    const headers = { 'idempotency-key': name, 'content-type': 'application/json' };
    const ask = ({ http }: Customer) => http.request(verbOf(route), pathOf(route, id), { ...request, headers });
    expect((await ask(maker)).status).toBe(isCreation ? 202 : 200);
    expect((await ask(other)).status).toBe(403);
    for (const caller of [maker, reader]) expect((await ask(caller)).status).toBe(200);
  });
});
