// Level: push
import { insertBulk, runBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('POST /v1/bulk/{id}/mapping', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());

  test('columns that were not recognized are chosen, and the rows are checked again', async () => {
    const rows = [
      ['Ada', 'Peeters', 'Rue Haute 1', '1000'],
      ['Jan', 'Jans', 'Rue Haute 2', '2000'],
    ];
    const id = await insertBulk(
      customer,
      { state: 'needs_mapping', header: ['A', 'B', 'C', 'D'], mapping: null, missing: ['name'] },
      rows.map((cells) => ({ cells, state: 'unchecked' })),
    );
    const map = (mapping: object, more = {}) => customer.http.post(`/v1/bulk/${id}/mapping`, { mapping, ...more });
    const unknown = await map({ name: 'E' });
    expect([unknown.status, unknown.body.issues]).toMatchObject([400, [{ path: ['name'] }]]);
    expect((await map({ name: ['A', 'B'], line1: 'C', zip: 'D' })).body.status).toBe('validating');
    expect(await runBulk(world, id)).toMatchObject({ state: 'needs_mapping', missing: ['city'] });
    expect((await map({ name: ['A', 'B'], line1: 'C', zip: 'D', city: 'A' })).status).toBe(200);
    expect(await runBulk(world, id)).toMatchObject({
      ...{ state: 'ready', missing: [], totalCents: 442 },
      counts: { rows: 2, valid: 2 },
    });
    const { body } = await customer.http.get(`/v1/bulk/${id}/rows`);
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['valid', 'valid']);

    const without = { name: 'A', line1: 'C', zip: 'A', city: 'B' };
    expect((await map(without, { ignoredColumns: ['D'] })).status).toBe(200);
    expect(await runBulk(world, id)).toMatchObject({ state: 'needs_attention', counts: { faulty: 2 } });
  });

  test('a column that looks like a part of the address is mapped, or named as not needed', async () => {
    const header = ['Naam', 'Straat', 'Nr', 'Postcode', 'Gemeente', 'c/o', 'Telefoon'];
    const cells = ['Jan', 'Kerkstraat', '12', '9000', 'Gent', 'Els', '09 123'];
    const rows = [{ cells, state: 'unchecked' as const }];
    const id = await insertBulk(customer, { state: 'needs_mapping', header, mapping: null }, rows);
    const post = (body: object) => customer.http.post(`/v1/bulk/${id}/mapping`, body);
    const read = async () => {
      await runBulk(world, id);
      const { status, unusedColumns, undecidedColumns, totalCents } = (await customer.http.get(`/v1/bulk/${id}`)).body;
      return { status, unusedColumns, undecidedColumns, totalCents };
    };
    expect((await post({ ignoredColumns: ['Land'] })).body.issues).toMatchObject([{ path: ['ignoredColumns'] }]);
    const unusedColumns = ['c/o', 'Telefoon'];
    await post({});
    expect(await read()).toEqual({
      status: 'needs_mapping',
      unusedColumns,
      undecidedColumns: ['c/o'],
      totalCents: null,
    });
    expect((await customer.http.post(`/v1/bulk/${id}/confirm`, {})).status).toBe(409);
    await post({ ignoredColumns: ['c/o'] });
    expect(await read()).toEqual({ status: 'ready', unusedColumns, undecidedColumns: [], totalCents: 221 });

    const name = { columns: ['Naam', 'c/o'], separator: ' / ' };
    const mapping = { name, line1: ['Straat', 'Nr'], zip: 'Postcode', city: 'Gemeente' };
    const { body } = await post({ mapping, ignoredColumns: [] });
    expect(body.ignoredColumns).toEqual([]);
    expect(await read()).toMatchObject({ status: 'ready', unusedColumns: ['Telefoon'] });
    const after = (await customer.http.get(`/v1/bulk/${id}`)).body.mapping;
    expect(after).toMatchObject({ name: ['Naam', 'c/o'], separators: { name: ' / ' } });
    await post({ mapping: null });
    expect(await read()).toMatchObject({ status: 'needs_mapping', undecidedColumns: ['c/o'] });
  });
});
