import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anApplication, statusOf } from '../support/application.ts';
import { openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const path = '/account/applications';
/** From the answer to the press on. */
const withinMs = 1_000;

describe('the page of applications', () => {
  const world = startWorld();
  let host: WebHost;
  beforeAll(async () => {
    host = await openWebHost(world);
  });
  afterAll(async () => host.close());

  test('given two grants of an application, when revoke is pressed once, then both tokens are dead within a second', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const application = await anApplication(world);
    const first = await application.authorize({ organizationId, scopes: ['wallet'] });
    const second = await application.authorize({ organizationId, scopes: ['read', 'wallet'] });
    expect(await statusOf(world, first.access_token)).toBe(200);

    const { text } = await visitor.get(path);
    const rows = text.split('<tr').filter((row) => row.includes('value="revoke"'));
    expect(rows).toHaveLength(1);
    for (const shown of ['An app', application.clientId, '>read<', '>wallet<', '>Test<'])
      expect(rows[0]).toContain(shown);

    const revoked = await visitor.send(path, `${path}/revoke`, { action: 'revoke' });
    const answeredAt = performance.now();
    expect([revoked.status, revoked.location]).toEqual([303, `/en${path}?notice=applicationRevoked`]);
    expect(await statusOf(world, first.access_token)).toBe(401);
    expect(await statusOf(world, second.access_token)).toBe(401);
    expect(performance.now() - answeredAt).toBeLessThan(withinMs);
    expect((await application.refresh(second.refresh_token)).status).toBe(400);
    expect((await visitor.get(path)).text).toContain('No application has access');
  });

  test('given the application of another organization, when its revocation is posted, then 404 and it works on', async () => {
    const [owner, stranger] = [await host.signedIn(), await host.signedIn()];
    const application = await anApplication(world);
    const { access_token } = await application.authorize({ organizationId: owner.user.organizationId });
    expect((await stranger.get(path)).text).not.toContain(application.clientId);
    const token = /name="_csrf" value="([^"]+)"/.exec((await stranger.get(path)).text)?.[1] ?? '';
    const answer = await stranger.post(`${path}/revoke`, { clientId: application.clientId, _csrf: token });
    expect(answer.status).toBe(404);
    expect(await statusOf(world, access_token)).toBe(200);
  });
});
