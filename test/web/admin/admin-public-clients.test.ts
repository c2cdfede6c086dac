// Level: push
import { OAuthClient } from '#common/oauth/client.model.ts';
import { disableClient } from '#common/oauth/clients/change-client.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startMetadataServer } from '#test/support/mcp/public-client.ts';
import { anApplication } from '#test/support/product/application.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

const path = '/admin/clients';

describe('public clients in the administration area', () => {
  const { world, host } = startWebHost({ hasTariffs: false });
  const admin = openOnce(() => host.signedIn({ isAdmin: true }));

  test('however many there are, registered applications are listed, and the newest 100 of them', async () => {
    const { clientId } = await anApplication(world);
    const idOf = (index: number) => `https://agent.example/${index}.json`;
    await OAuthClient.insertMany(
      Array.from({ length: 1_000 }, (_, index) => ({
        ...{ _id: idOf(index), name: 'A', mode: null, redirectUris: ['https://agent.example/'], scopes: ['read'] },
        ...{ secretHashes: [], formerSecretEndsAt: null, disabledAt: null, createdAt: new Date(1_000 * index) },
      })),
    );
    const { text } = await admin.get(path);
    const [registered = '', others = ''] = text.split('<h2>Public clients</h2>');
    expect(registered).toContain(`<code>${clientId}</code>`);
    expect(registered).not.toContain('https://agent.example/');
    expect(others).toContain('Public clients that users have granted access: 1000.');
    const shown = [...others.matchAll(/<code>(https:\/\/agent\.example\/\d+\.json)<\/code>/g)].map(([, id]) => id);
    expect(shown).toEqual(Array.from({ length: 100 }, (_, index) => idOf(999 - index)));
  });

  test('one can be disabled before any user consents', async () => {
    const server = await startMetadataServer();
    const { clientId } = server;
    const first = await disableClient(clientId, new Date());
    expect([first.record._id, first.revokedGrantCount]).toEqual([clientId, 0]);
    const { record } = await disableClient(clientId, new Date());
    expect(record.disabledAt).toEqual(first.record.disabledAt);
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: 'http://localhost/callback' });
    const { status, text } = await admin.get(`/oauth/authorize?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining('an application that we do not know')]);
    expect(server.countRequests()).toBe(0);
    await server.close();
  });
});
