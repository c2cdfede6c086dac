// Level: push
import { Address } from '#common/addresses/address.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { addBookEntry, aSender, bookEntry, bookEntryEdges, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

describe('PATCH /v1/addresses/{id}', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  /** Stores an entry and returns it with its path. */
  async function create(fields: object = {}) {
    const { body } = await addBookEntry(customer, fields);
    return { body, path: `/v1/addresses/${body.id}` };
  }

  test('a patch changes the given fields, and null clears line2 and label', async () => {
    const { body, path } = await create({ line2: 'b 3', label: 'Office' });
    const cleared = { name: 'New name', line2: null, label: null };
    const patched = await customer.http.patch(path, cleared);
    expect(patched.body).toEqual({ ...body, ...cleared, updatedAt: patched.body.updatedAt });
  });

  test.each(bookEntryEdges)('valid values of %s are accepted, others are 400 and named', async (field, good, bad) => {
    const { path } = await create();
    for (const value of good) {
      const { status, body } = await customer.http.patch(path, { [field]: value });
      const shown = typeof value === 'string' ? value.trim() : value;
      expect([field, value, status, body[field]]).toEqual([field, value, 200, shown]);
    }
    for (const value of bad) {
      const answer = await customer.http.patch(path, { [field]: value });
      expect([field, value, answer.status, new Set(issuePaths(answer))]).toEqual([field, value, 400, new Set([field])]);
    }
  });

  test.each([
    ['nothing', {}, []],
    ['no body', undefined, []],
    ['null for a required field', { name: null }, ['name']],
    ['null for isDefault', { isDefault: null }, ['isDefault']],
    ['an unknown field', { name: 'x', nmae: 'x' }, ['nmae']],
  ])('a patch with %s is refused with the path of the fault', async (_what, patch, path) => {
    const entry = await create();
    const answer = await customer.http.patch(entry.path, patch);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
    expect((await customer.http.get(entry.path)).body).toEqual(entry.body);
  });

  test('moving an entry to Belgium checks the postal code against the new country', async () => {
    const { path } = await create({ country: 'FR', zip: '75001' });
    const patch = (fields: object) => customer.http.patch(path, fields);
    expect(issuePaths(await patch({ country: 'BE' }))).toEqual(['zip']);
    expect((await patch({ country: 'BE', zip: '1000' })).body).toMatchObject({ country: 'BE', zip: '1000' });
    expect(issuePaths(await patch({ zip: '75001' }))).toEqual(['zip']);
    expect((await patch({ zip: '75001', country: 'FR' })).status).toBe(200);
  });

  test('a default entry that changes kind replaces the default of the new kind', async () => {
    const sender = await create({ isDefault: true });
    const recipient = await create({ kind: 'RECIPIENT', isDefault: true });
    await customer.http.patch(sender.path, { kind: 'RECIPIENT' });
    const isDefault = async (path: string) => (await customer.http.get(path)).body.isDefault;
    expect([await isDefault(sender.path), await isDefault(recipient.path)]).toEqual([true, false]);
  });

  test('after twenty concurrent changes of the default, each kind has one default', async () => {
    const owner = await world.customer();
    const kinds = ['SENDER', 'RECIPIENT'];
    const made = await Promise.all(Array.from({ length: 10 }, (_, n) => addBookEntry(owner, { kind: kinds[n % 2] })));
    const patches = made.flatMap(({ body }, n) =>
      [{ isDefault: true }, { kind: kinds[(n + 1) % 2], isDefault: true }].map((fields) =>
        untilAnswered(() => owner.http.patch(`/v1/addresses/${body.id}`, fields)),
      ),
    );
    for (const { status } of await Promise.all(patches)) expect(status).toBe(200);
    const { organizationId } = owner;
    const defaults = await Address.find({ organizationId, isDefault: true }).lean();
    expect(new Set(defaults.map(({ kind }) => kind)).size).toBe(defaults.length);
    expect(defaults.length).toBeGreaterThan(0);
  });

  test('a letter that is sent without a sender has the default sender', async () => {
    const sender = await aSender(world);
    const { body: entry } = await addBookEntry(sender);
    await sender.http.patch(`/v1/addresses/${entry.id}`, { isDefault: true });
    const { kind: _, ...address } = bookEntry;
    expect((await sender.send()).body.sender).toEqual({ ...address, line2: null });
  });
});
