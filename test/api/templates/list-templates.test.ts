// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/templates', () => {
  const world = startWorld({ hasTariffs: false });

  test('templates are listed newest first, in pages, without their texts', async () => {
    const { http } = await world.customer();
    for (const name of ['a', 'b', 'c']) await http.post('/v1/templates', { name, language: 'en', text: 'x' });
    const first = (await http.get('/v1/templates?limit=2')).body;
    expect(first.data.map(({ name }: { name: string }) => name)).toEqual(['c', 'b']);
    expect(first.data[0]).not.toHaveProperty('text');
    const second = (await http.get(`/v1/templates?limit=2&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ data: [{ name: 'a', version: 1 }], hasMore: false });
  });
});
