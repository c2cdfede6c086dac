import { describe, expect, test } from '@jest/globals';
import { Address } from '../../common/addresses/address.model.ts';
import { aLetter } from '../support/builders.ts';
import { startWorld } from '../support/world.ts';

const entry = {
  kind: 'SENDER',
  name: 'Müller & Zoë',
  line1: 'Chaussée de Liège 12',
  zip: '4000',
  city: 'Liège',
  country: 'BE',
};

describe('the address book', () => {
  const world = startWorld();

  test('given an entry, when it is created, read, listed and deleted, then it has the public form throughout', async () => {
    const { http } = await world.customer();
    const created = await http.post('/v1/addresses', { ...entry, line2: 'b 3', label: 'Head office' });
    expect(created).toMatchObject({
      status: 201,
      body: { ...entry, line2: 'b 3', label: 'Head office', isDefault: false },
    });
    const { id } = created.body;
    expect(id).toMatch(/^adr_/);
    expect((await http.get(`/v1/addresses/${id}`)).body).toEqual(created.body);
    expect((await http.get('/v1/addresses')).body).toEqual({ data: [created.body], hasMore: false, nextCursor: null });
    expect(await http.delete(`/v1/addresses/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    expect((await http.delete(`/v1/addresses/${id}`)).status).toBe(404);
    expect((await http.get(`/v1/addresses/${id}`)).status).toBe(404);
  });

  test('given a default, when another entry of its kind becomes the default, then the first one is it no longer', async () => {
    const { http } = await world.customer();
    const first = await http.post('/v1/addresses', { ...entry, isDefault: true });
    const second = await http.post('/v1/addresses', { ...entry, isDefault: true });
    const recipient = await http.post('/v1/addresses', { ...entry, kind: 'RECIPIENT', isDefault: true });
    const isDefault = async (id: string) => (await http.get(`/v1/addresses/${id}`)).body.isDefault;
    expect([await isDefault(first.body.id), await isDefault(second.body.id)]).toEqual([false, true]);
    expect(await isDefault(recipient.body.id)).toBe(true);
    // A default that changes its kind is the default there.
    await http.patch(`/v1/addresses/${second.body.id}`, { kind: 'RECIPIENT' });
    expect([await isDefault(second.body.id), await isDefault(recipient.body.id)]).toEqual([true, false]);
  });

  test('given twenty requests that all want the default, when they race, then each is answered and one has it', async () => {
    const customer = await world.customer();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => customer.http.post('/v1/addresses', { ...entry, isDefault: true })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const { organizationId } = customer;
    expect(await Address.countDocuments({ organizationId, isDefault: true })).toBe(1);
    expect(await Address.countDocuments({ organizationId })).toBe(20);
  });

  test('given an entry, when it is patched, then what is given changes, null clears line2 and label, and the rest stays', async () => {
    const { http } = await world.customer();
    const { body } = await http.post('/v1/addresses', { ...entry, line2: 'b 3', label: 'Office' });
    const patched = await http.patch(`/v1/addresses/${body.id}`, { name: 'New name', line2: null, label: null });
    expect(patched.body).toEqual({
      ...body,
      name: 'New name',
      line2: null,
      label: null,
      updatedAt: patched.body.updatedAt,
    });
  });

  test.each([
    ['nothing', {}, []],
    ['null for a required field', { name: null }, ['name']],
    ['an unknown field', { name: 'x', nmae: 'x' }, ['nmae']],
    ['a postal code that its country does not have', { zip: '0999' }, ['zip']],
    ['a country that does not exist', { country: 'XX' }, ['country']],
    ['an empty city', { city: ' ' }, ['city']],
  ])('given a patch with %s, when it is sent, then it is refused at its place', async (_what, patch, path) => {
    const { http } = await world.customer();
    const { body } = await http.post('/v1/addresses', entry);
    const answer = await http.patch(`/v1/addresses/${body.id}`, patch);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
    expect((await http.get(`/v1/addresses/${body.id}`)).body).toEqual(body);
  });

  test.each([
    ['liege', 1],
    ['LIÈGE', 1],
    ['müLLer', 1],
    ['zoe', 1],
    ['400', 1],
    ['head', 1],
    ['Chaussée', 0],
    ['.*', 0],
    ['a|b(', 0],
    ['e\nl', 0],
  ])('given an entry, when %j is searched, then it is found %i times', async (q, count) => {
    const { http } = await world.customer();
    await http.post('/v1/addresses', { ...entry, label: 'Head office' });
    const { status, body } = await http.get(`/v1/addresses?q=${encodeURIComponent(q)}`);
    if (q.includes('\n')) return expect(status).toBe(400);
    expect(body.data).toHaveLength(count);
  });

  test('given 205 entries, when they are paged, then each comes once, newest first, also while new ones arrive', async () => {
    const { http, organizationId } = await world.customer();
    const made = await http.post('/v1/addresses', entry);
    const template = await Address.findById(made.body.id).lean();
    await Address.insertMany(
      Array.from({ length: 204 }, (_, index) => ({
        ...template,
        _id: `${made.body.id.slice(0, -3)}${100 + index}`,
        organizationId,
      })),
    );
    expect((await http.get('/v1/addresses')).body.data).toHaveLength(100);
    const first = await http.get('/v1/addresses?limit=200');
    await http.post('/v1/addresses', entry);
    const second = await http.get(`/v1/addresses?limit=200&cursor=${first.body.nextCursor}`);
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(205);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect((await http.get(`/v1/addresses?kind=SENDER&cursor=${first.body.nextCursor}`)).status).toBe(400);
  });

  test('given a default sender, when a letter names none, then it comes from there', async () => {
    const customer = await world.customer();
    await customer.http.post('/v1/addresses', { ...entry, isDefault: true });
    const { body } = await customer.http.post('/v1/mails', await aLetter(customer));
    expect(body.sender).toEqual({
      name: entry.name,
      line1: entry.line1,
      line2: null,
      zip: '4000',
      city: 'Liège',
      country: 'BE',
    });
  });
});
