import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/templates/{id}', () => {
  const world = startWorld({ hasTariffs: false });

  test('a template of another organization or mode is not found, nor are its versions', async () => {
    const owner = await world.customer();
    const template = { name: 'Reminder', language: 'en', text: 'Dear ((name))' };
    const { templateId } = (await owner.http.post('/v1/templates', template)).body;
    const { organizationId } = owner;
    for (const options of [{}, { organizationId, mode: 'live' }] as const) {
      const other = await world.customer(options);
      for (const path of ['', '?version=1', '/versions']) {
        expect((await other.http.get(`/v1/templates/${templateId}${path}`)).status).toBe(404);
      }
      expect((await other.http.patch(`/v1/templates/${templateId}`, { name: 'x' })).status).toBe(404);
      expect((await other.http.delete(`/v1/templates/${templateId}`)).status).toBe(404);
      expect((await other.http.post(`/v1/templates/${templateId}/preview`, {})).status).toBe(404);
    }
    expect((await owner.http.get(`/v1/templates/${templateId}`)).body.name).toBe('Reminder');
  });
});
