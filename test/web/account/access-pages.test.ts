// Level: push
import { accountLinks } from '#api/web/design/navigation.ts';
import { createApiKey } from '#common/access/api-keys.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { anApplication, statusOf } from '#test/support/product/application.ts';
import { createClient } from '#test/support/product/customer.ts';
import { formsOf, startWebHost } from '#test/support/web/web-host.ts';

const { world, host } = startWebHost();

describe('the page of API keys', () => {
  const path = '/account/api-keys';
  const keyIn = (page: string) => /\bbjk_(?:test|live)[a-z2-7]{16}_[a-z2-7]{52}\b/.exec(page)?.[0] ?? '';

  test('a new key is shown once, works within its scopes and stops when revoked', async () => {
    const visitor = await host.signedIn();
    const fields = { name: 'Invoices', mode: 'test', scopes: ['read', 'wallet'], action: 'create' };
    const made = await visitor.send(path, path, fields);
    const key = keyIn(made.text);
    expect(made.status).toBe(200);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const http = createClient(world.url, key);
    expect(await http.get('/v1/wallet')).toMatchObject({ status: 200, body: { mode: 'test' } });
    expect(await http.get('/v1/addresses')).toMatchObject({ status: 403 });

    const list = await visitor.get(path);
    expect(list.text).toContain('Invoices');
    expect(list.text).not.toContain(key);
    const keyId = key.split('_')[1] ?? '';
    const row = list.text.split('<tr').find((part) => part.includes(keyId)) ?? '';
    expect(row).toContain('value="revoke"');

    const revoked = await visitor.send(path, `${path}/revoke`, { keyId, action: 'revoke' });
    expect([revoked.status, revoked.location]).toEqual([303, '/en/account/api-keys?notice=keyRevoked']);
    expect((await visitor.get(path)).text).not.toContain(keyId);
    await eventually(async () => expect((await http.get('/v1/wallet')).status).toBe(401));
  });

  test('users can list and revoke keys that an administrator created', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const { record } = await createApiKey({ organizationId, mode: 'live', scopes: ['send'] }, new Date());
    expect((await visitor.get(path)).text).toContain(record._id);
    expect((await visitor.send(path, `${path}/revoke`, { keyId: record._id })).status).toBe(303);
    expect((await visitor.get(path)).text).not.toContain(record._id);
  });

  test('revoking a key of another organization is 404 and has no effect', async () => {
    const visitor = await host.signedIn();
    const customer = await world.customer();
    expect((await visitor.get(path)).text).not.toContain(customer.keyId);
    const [form] = formsOf((await visitor.get(path)).text);
    const answer = await visitor.post(`${path}/revoke`, { ...form?.hidden, keyId: customer.keyId });
    expect(answer.status).toBe(404);
    expect((await customer.http.get('/v1/wallet')).status).toBe(200);
  });

  test('a form without mode and scopes marks both and keeps the input', async () => {
    const visitor = await host.signedIn();
    const { status, text } = await visitor.send(path, path, { name: 'Kept <b>', action: 'create' });
    expect(status).toBe(400);
    expect(text).toContain('value="Kept &lt;b&gt;"');
    expect(text).toContain('href="#account-api-keys-scopes">Choose at least one option.</a>');
    expect(text).toContain('href="#account-api-keys-mode">Choose an option.</a>');
    expect(text.match(/ checked/g)).toBeNull();
    const invented = await visitor.send(path, path, { name: '', mode: 'test', scopes: ['read', 'admin'] });
    expect(invented.status).toBe(400);
    expect(keyIn(invented.text)).toBe('');
  });

  test('the page links to every page of the account', async () => {
    const visitor = await host.signedIn();
    const { text } = await visitor.get(path);
    const [, main = ''] = text.split('<main');
    for (const link of accountLinks.filter((other) => other.path !== path)) {
      expect(main).toContain(`href="/en${link.path}"`);
      expect((await visitor.get(link.path)).status).toBe(200);
    }
  });
});

describe('the page of applications', () => {
  const path = '/account/applications';

  test('one revocation ends all grants of an application within a second', async () => {
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
    expect([revoked.status, revoked.location]).toEqual([303, `/en${path}?notice=applicationRevoked`]);
    // At once: each is asked once, after the answer.
    expect(await statusOf(world, first.access_token)).toBe(401);
    expect(await statusOf(world, second.access_token)).toBe(401);
    expect((await application.refresh(second.refresh_token)).status).toBe(400);
    expect((await visitor.get(path)).text).toContain('No application has access');
  });

  test('revoking an application of another organization is 404 and has no effect', async () => {
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
