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
    const map = (mapping: object) => customer.http.post(`/v1/bulk/${id}/mapping`, { mapping });
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

    expect((await map({ name: 'A', line1: 'C', zip: 'A', city: 'B' })).status).toBe(200);
    expect(await runBulk(world, id)).toMatchObject({ state: 'needs_attention', counts: { faulty: 2 } });
  });
});
