// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/templates/{id}/versions', () => {
  const world = startWorld({ hasTariffs: false });

  test('versions are listed newest first, with the name and language of each', async () => {
    const { http } = await world.customer();
    const { templateId } = (await http.post('/v1/templates', { name: 'a', language: 'en', text: 'x' })).body;
    await http.patch(`/v1/templates/${templateId}`, { name: 'b', language: 'de' });
    const { body } = await http.get(`/v1/templates/${templateId}/versions`);
    expect(body.data).toMatchObject([
      { templateId, version: 2, name: 'b', language: 'de' },
      { templateId, version: 1, name: 'a', language: 'en' },
    ]);
  });
});
