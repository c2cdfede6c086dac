// Level: push
import { Address } from '#common/addresses/address.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { addBookEntry, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/addresses', () => {
  const world = startWorld();

  test('an entry is listed as POST returned it, under its kind only', async () => {
    const customer = await world.customer();
    const { body } = await addBookEntry(customer, { line2: 'b 3', label: 'Head office' });
    const page = { data: [body], hasMore: false, nextCursor: null };
    for (const query of ['', '?kind=SENDER', '?kind=SENDER&q=zoe'])
      expect((await customer.http.get(`/v1/addresses${query}`)).body).toEqual(page);
    for (const query of ['?kind=RECIPIENT', '?kind=RECIPIENT&q=zoe'])
      expect((await customer.http.get(`/v1/addresses${query}`)).body.data).toEqual([]);
  });

  test.each([
    ['liege', 1],
    ['LIÈGE', 1],
    ['müLLer', 1],
    [' zoe ', 1],
    ['400', 1],
    ['head', 1],
    ['Chaussée', 0],
    ['x'.repeat(100), 0],
    ['.*', 0],
    ['a|b(', 0],
  ])('a search for %j finds %i entries', async (q, count) => {
    const customer = await world.customer();
    await addBookEntry(customer, { label: 'Head office' });
    const { body } = await customer.http.get(`/v1/addresses?q=${encodeURIComponent(q)}`);
    expect(body.data).toHaveLength(count);
  });

  test.each(['lukasz', 'ŁUKASZ', 'sorensen', 'dokic', 'strasse', 'straße', 'aegir', 'Æ', 'isik'])(
    'a search for %j finds the letters that few can type',
    async (q) => {
      const customer = await world.customer();
      await addBookEntry(customer, { name: 'Łukasz Sørensen', label: 'Đokić' });
      await addBookEntry(customer, { name: 'Ægir Işık', city: 'Kaiserstraße' });
      const { body } = await customer.http.get(`/v1/addresses?q=${encodeURIComponent(q)}`);
      expect(body.data).toHaveLength(1);
    },
  );

  test('a search that is too long, empty or malformed and an unknown kind are 400', async () => {
    const { http } = await world.customer();
    for (const q of ['', '%20', 'x'.repeat(101), 'a%00b', 'a%0Ab', 'e%0Al'])
      expect([q, issuePaths(await http.get(`/v1/addresses?q=${q}`))]).toEqual([q, ['q']]);
    expect(issuePaths(await http.get('/v1/addresses?kind=sender'))).toEqual(['kind']);
  });

  test('a page has 100 entries by default', async () => {
    const owner = await world.customer();
    const { body: made } = await addBookEntry(owner);
    const template = await Address.findById(made.id).lean();
    const idOf = (index: number) => `${made.id.slice(0, -3)}${100 + index}`;
    await Address.insertMany(Array.from({ length: 100 }, (_, index) => ({ ...template, _id: idOf(index) })));
    expect((await owner.http.get('/v1/addresses')).body.data).toHaveLength(100);
  });
});
