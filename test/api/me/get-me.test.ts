// Level: push
import { createApiKey } from '#common/access/api-keys.ts';
import { scopes } from '#common/access/scopes.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { anApplication, anOrganization } from '#test/support/product/application.ts';
import { createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/me', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const app = openOnce(() => anApplication(world));
  const me = async (credential: string) => (await createClient(world.url, credential).get('/v1/me')).body;

  test.each(scopes)('a key with only the scope %s learns its organization, mode and name', async (scope) => {
    const organizationId = await anOrganization(world);
    const createdAt = clock.now();
    const wanted = { organizationId, mode: 'live', scopes: [scope], name: 'Billing' } as const;
    const { key, record } = await createApiKey(wanted, createdAt);
    expect(await me(key)).toEqual({
      ...{ organizationId, organizationName: 'Peeters NV', mode: 'live', scopes: [scope] },
      credential: { kind: 'api_key', id: record._id, name: 'Billing', clientId: null, expiresAt: null },
      createdAt: createdAt.toISOString(),
    });
    expect(JSON.stringify(await me(key))).not.toContain(key.split('_')[2]);
  });

  test('an access token learns for whom it works, which application has it, and when it expires', async () => {
    const organizationId = await anOrganization(world);
    const grantedAt = clock.now();
    const first = await app.authorize({ organizationId, scopes: ['read', 'send'] });
    const { name } = await readOrganization(organizationId);
    clock.advance(60_000);
    const { body: narrow } = await app.refresh(first.refresh_token, 'read');
    for (const tokens of [first, narrow]) {
      expect(tokens).toMatchObject({ organization_id: organizationId, organization_name: name });
    }
    const [whole, part] = [await me(first.access_token), await me(narrow.access_token)];
    expect(whole).toEqual({
      ...{ organizationId, organizationName: name, mode: 'test', scopes: ['read', 'send'] },
      credential: {
        ...{ kind: 'oauth', id: expect.any(String), name: 'An app', clientId: app.clientId },
        expiresAt: new Date(grantedAt.getTime() + 3_600_000).toISOString(),
      },
      createdAt: grantedAt.toISOString(),
    });
    const expiresAt = new Date(grantedAt.getTime() + 3_660_000).toISOString();
    expect(part).toEqual({ ...whole, scopes: ['read'], credential: { ...whole.credential, expiresAt } });
  });
});
