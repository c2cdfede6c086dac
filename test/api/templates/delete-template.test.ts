// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('DELETE /v1/templates/{id}', () => {
  const world = startWorld({ hasTariffs: false });

  test('a deleted template is not found, not listed and not deleted twice', async () => {
    const { http } = await world.customer();
    const { templateId } = (await http.post('/v1/templates', { name: 'a', language: 'en', text: 'x' })).body;
    const path = `/v1/templates/${templateId}`;
    expect(await http.delete(path)).toMatchObject({ status: 200, body: { id: templateId, deleted: true } });
    for (const gone of [path, `${path}?version=1`, `${path}/versions`]) expect((await http.get(gone)).status).toBe(404);
    expect((await http.get('/v1/templates')).body.data).toEqual([]);
    expect((await http.delete(path)).status).toBe(404);
  });
});
