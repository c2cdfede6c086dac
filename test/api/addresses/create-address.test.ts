// Level: push
import { Address } from '#common/addresses/address.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { addBookEntry, bookEntry, bookEntryEdges, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

describe('POST /v1/addresses', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const create = (fields: object) => addBookEntry(customer, fields);

  test('a new entry is returned with all its fields', async () => {
    const { status, body } = await create({ line2: 'b 3', label: 'Head office' });
    expect([status, body]).toMatchObject([201, { ...bookEntry, line2: 'b 3', label: 'Head office', isDefault: false }]);
    expect(body.id).toMatch(/^adr_/);
  });

  test.each(bookEntryEdges)('valid values of %s are accepted, others are 400 and named', async (field, good, bad) => {
    for (const value of good) {
      const { status, body } = await create({ [field]: value });
      const shown = typeof value === 'string' ? value.trim() : value;
      expect([field, value, status, body[field]]).toEqual([field, value, 201, shown]);
    }
    for (const value of bad) {
      const answer = await create({ [field]: value });
      expect([field, value, answer.status, new Set(issuePaths(answer))]).toEqual([field, value, 400, new Set([field])]);
    }
  });

  test('a foreign postal code has 1 to 16 characters', async () => {
    for (const zip of ['1', 'A'.repeat(16)]) expect((await create({ country: 'GB', zip })).status).toBe(201);
    expect(issuePaths(await create({ country: 'GB', zip: 'A'.repeat(17) }))).toEqual(['zip']);
  });

  test('an empty body names all required fields', async () => {
    const made = await customer.http.post('/v1/addresses', {});
    expect(issuePaths(made).sort()).toEqual(['city', 'country', 'kind', 'line1', 'name', 'zip']);
  });

  test('null in an optional field counts as absent', async () => {
    const { status, body } = await create({ line2: null, label: null, isDefault: null });
    expect([status, body.line2, body.label, body.isDefault]).toEqual([201, null, null, false]);
  });

  test.each(['B-1000', 'BE-1000', 'b 1000', 'BE 1000', 'B1000'])(
    'the postal code %s is stored as 1000',
    async (zip) => {
      const { status, body } = await create({ zip });
      expect([status, body.zip]).toEqual([201, '1000']);
    },
  );

  test('an address in Kosovo is stored', async () => {
    const { status, body } = await create({ country: 'XK', zip: '10000', city: 'Prishtinë' });
    expect([status, body.country]).toEqual([201, 'XK']);
  });

  test('a new default entry replaces the former default of its kind', async () => {
    const owner = await world.customer();
    const [first, second, recipient] = [
      await addBookEntry(owner, { isDefault: true }),
      await addBookEntry(owner, { isDefault: true }),
      await addBookEntry(owner, { kind: 'RECIPIENT', isDefault: true }),
    ];
    const isDefault = async (id: string) => (await owner.http.get(`/v1/addresses/${id}`)).body.isDefault;
    const live = await world.customer({ organizationId: owner.organizationId, mode: 'live' });
    const { body: ofLive } = await addBookEntry(live, { isDefault: true });
    expect((await owner.http.patch(`/v1/addresses/${second.body.id}`, { isDefault: true })).status).toBe(200);
    // The other mode has a default of its own.
    expect((await live.http.get(`/v1/addresses/${ofLive.id}`)).body.isDefault).toBe(true);
    expect([await isDefault(first.body.id), await isDefault(second.body.id)]).toEqual([false, true]);
    expect(await isDefault(recipient.body.id)).toBe(true);
  });

  test('of twenty concurrent requests for the default all succeed and one entry has it', async () => {
    const owner = await world.customer();
    const add = () => untilAnswered(() => addBookEntry(owner, { isDefault: true }));
    const answers = await Promise.all(Array.from({ length: 20 }, add));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const { organizationId } = owner;
    expect(await Address.countDocuments({ organizationId, isDefault: true })).toBe(1);
    expect(await Address.countDocuments({ organizationId })).toBe(20);
  });
});
