// Level: push
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/bulk/{id}/rows', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());

  test('lists rows in the order of the file, in pages, and by status', async () => {
    const fault = { column: 2, code: 'belgian_zip', detail: null } as const;
    const faulty = { state: 'faulty', faults: [fault] } as const;
    const rows = Array.from({ length: 12 }, (_, index) => (index % 4 === 1 ? { ...faulty, faults: [fault] } : {}));
    const id = await insertBulk(customer, {}, rows);
    const read = async (query: string) => (await customer.http.get(`/v1/bulk/${id}/rows${query}`)).body;
    const numbers = (page: { data: { row: number }[] }) => page.data.map(({ row }) => row);
    const first = await read('?limit=10');
    const second = await read(`?limit=10&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect([...numbers(first), ...numbers(second)]).toEqual(rows.map((_, index) => index + 2));
    const faults = await read('?status=faulty');
    expect(numbers(faults)).toEqual([3, 7, 11]);
    expect(faults.data[0]).toMatchObject({
      status: 'faulty',
      priceCents: null,
      faults: [{ column: 'Postcode', code: 'belgian_zip', message: expect.stringContaining('four digits') }],
    });
    expect(numbers(await read('?status=valid'))).toHaveLength(9);
    expect((await customer.http.get(`/v1/bulk/${id}/rows?status=sent`)).status).toBe(400);
  });

  test('a page of long rows is shorter, and no row is left out', async () => {
    const cells = Array.from({ length: 200 }, () => 'x'.repeat(2_000));
    const id = await insertBulk(
      customer,
      {},
      Array.from({ length: 45 }, () => ({ cells })),
    );
    const numbers: number[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await customer.http.get(`/v1/bulk/${id}/rows?limit=500${cursor}`);
      expect(body.data.length).toBeLessThanOrEqual(5);
      numbers.push(...body.data.map(({ row }: { row: number }) => row));
      if (!body.hasMore) break;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(numbers).toEqual(Array.from({ length: 45 }, (_, index) => index + 2));
  });
});
