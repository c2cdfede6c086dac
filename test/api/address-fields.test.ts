import { beforeAll, describe, expect, test } from '@jest/globals';
import { Address } from '../../common/addresses/address.model.ts';
import type { Customer } from '../support/customer.ts';
import { issuePaths } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const entry = {
  kind: 'RECIPIENT',
  name: 'Ada Peeters',
  line1: 'Rue Haute 1',
  zip: '1000',
  city: 'Bruxelles',
  country: 'BE',
};
const odd = [' ', 'a\nb', 'a\u0000b', '\ud800', 1, true, [], {}];
/** Values of each field: those that are taken and those that are not, the edges among them. */
const edges: Record<string, { good: unknown[]; bad: unknown[] }> = {
  kind: { good: ['SENDER', 'RECIPIENT'], bad: ['sender', 'BOTH', '', null, 1] },
  name: { good: ['a', 'é'.repeat(100), '\u{1f600}'.repeat(100)], bad: ['', 'x'.repeat(101), null, ...odd] },
  line1: { good: ['a', 'é'.repeat(100)], bad: ['', 'x'.repeat(101), null, ...odd] },
  line2: { good: ['a', 'é'.repeat(100), null], bad: ['', 'x'.repeat(101), ...odd] },
  city: { good: ['a', 'é'.repeat(80)], bad: ['', 'x'.repeat(81), null, ...odd] },
  zip: { good: ['1000', '9999'], bad: ['', '0999', '10000', '100', '1000 AB', null, ...odd] },
  country: { good: ['BE', ' BE '], bad: ['', 'be', 'XX', 'BEL', 'Belgium', null, ...odd] },
  label: { good: ['a', 'é'.repeat(100), null], bad: ['', 'x'.repeat(101), ...odd] },
  isDefault: { good: [true, false], bad: ['true', 0, 1, {}] },
};

describe('the fields of an address book entry', () => {
  const world = startWorld();
  let customer: Customer;
  let id: string;
  beforeAll(async () => {
    customer = await world.customer();
    id = (await create({})).body.id;
  });
  const create = (fields: object) => customer.http.post('/v1/addresses', { ...entry, ...fields });
  const change = (fields: object) => customer.http.patch(`/v1/addresses/${id}`, fields);
  const shown = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

  test.each(Object.entries(edges))(
    'given %s at its edges, when an entry is made or changed, then the inside is taken and the outside 400',
    async (field, { good, bad }) => {
      for (const value of good) {
        for (const [status, answer] of [
          [201, await create({ [field]: value })],
          [200, await change({ [field]: value })],
        ] as const) {
          expect([field, value, answer.status, answer.body[field]]).toEqual([field, value, status, shown(value)]);
        }
      }
      for (const value of bad) {
        for (const answer of [await create({ [field]: value }), await change({ [field]: value })]) {
          expect([field, value, answer.status]).toEqual([field, value, 400]);
          expect(new Set(issuePaths(answer))).toEqual(new Set([field]));
        }
      }
    },
  );

  test('given a zip of 1 to 16 characters abroad, when an entry is made, then it is taken; with 17 not', async () => {
    for (const zip of ['1', 'A'.repeat(16)]) expect((await create({ country: 'GB', zip })).status).toBe(201);
    expect(issuePaths(await create({ country: 'GB', zip: 'A'.repeat(17) }))).toEqual(['zip']);
  });

  test('given an entry abroad, when it moves to Belgium, then zip and country are judged together', async () => {
    const { body } = await create({ country: 'FR', zip: '75001' });
    const patch = (fields: object) => customer.http.patch(`/v1/addresses/${body.id}`, fields);
    expect(issuePaths(await patch({ country: 'BE' }))).toEqual(['zip']);
    expect((await patch({ country: 'BE', zip: '1000' })).body).toMatchObject({ country: 'BE', zip: '1000' });
    expect(issuePaths(await patch({ zip: '75001' }))).toEqual(['zip']);
    expect((await patch({ zip: '75001', country: 'FR' })).status).toBe(200);
  });

  test('given an empty body, when an entry is made, then 400 names all that is required; when it is changed, 400 at the body', async () => {
    const made = await customer.http.post('/v1/addresses', {});
    expect(issuePaths(made).sort()).toEqual(['city', 'country', 'kind', 'line1', 'name', 'zip']);
    for (const body of [{}, undefined]) {
      const changed = await customer.http.patch(`/v1/addresses/${id}`, body);
      expect([changed.status, issuePaths(changed)]).toEqual([400, ['']]);
    }
  });

  test('given null for what is optional, when an entry is made, then it counts as absent; null for isDefault clears nothing', async () => {
    const { status, body } = await create({ line2: null, label: null, isDefault: null });
    expect([status, body.line2, body.label, body.isDefault]).toEqual([201, null, null, false]);
    expect(issuePaths(await change({ isDefault: null }))).toEqual(['isDefault']);
  });

  test('given entries of both kinds, when twenty patches race for the default, then each kind has one', async () => {
    const owner = await world.customer();
    const kinds = ['SENDER', 'RECIPIENT'];
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => owner.http.post('/v1/addresses', { ...entry, kind: kinds[n % 2] })),
    );
    const patches = made.flatMap(({ body }, n) =>
      [{ isDefault: true }, { kind: kinds[(n + 1) % 2], isDefault: true }].map((fields) =>
        owner.http.patch(`/v1/addresses/${body.id}`, fields),
      ),
    );
    for (const { status } of await Promise.all(patches)) expect(status).toBe(200);
    const { organizationId } = owner;
    const defaults = await Address.find({ organizationId, isDefault: true }).lean();
    expect(new Set(defaults.map(({ kind }) => kind)).size).toBe(defaults.length);
    expect(defaults.length).toBeGreaterThan(0);
  });

  test('given a search, when it is too long, empty or broken, then 400 names it; with spaces around it is trimmed', async () => {
    const find = (q: string) => customer.http.get(`/v1/addresses?kind=RECIPIENT&q=${q}`);
    expect((await find('%20haute%20')).body.data).toEqual([]);
    expect((await find('%20PEETERS%20')).body.data.length).toBeGreaterThan(0);
    expect((await find('x'.repeat(100))).status).toBe(200);
    for (const q of ['', '%20', 'x'.repeat(101), 'a%00b', 'a%0Ab'])
      expect([q, issuePaths(await find(q))]).toEqual([q, ['q']]);
    expect(issuePaths(await customer.http.get('/v1/addresses?kind=sender'))).toEqual(['kind']);
  });
});
