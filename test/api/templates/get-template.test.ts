// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/templates/{id}', () => {
  const world = startWorld({ hasTariffs: false });

  test('a version of a template of another organization or mode is not found', async () => {
    const owner = await world.customer();
    const template = { name: 'Reminder', language: 'en', text: 'Dear ((name))' };
    const path = `/v1/templates/${(await owner.http.post('/v1/templates', template)).body.templateId}?version=1`;
    const { organizationId } = owner;
    for (const options of [{}, { organizationId, mode: 'live' }] as const) {
      expect((await (await world.customer(options)).http.get(path)).status).toBe(404);
    }
    expect((await owner.http.get(path)).body.name).toBe('Reminder');
  });
});
