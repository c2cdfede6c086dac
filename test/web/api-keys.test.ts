import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountLinks } from '../../api/web/navigation.ts';
import { createApiKey } from '../../common/access/api-keys.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { formsOf } from '../support/visitor.ts';
import { openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const path = '/account/api-keys';
/** As long as a process may remember a key. */
const revokedWithinMs = 35_000;

describe('the page of API keys', () => {
  const world = startWorld();
  let host: WebHost;
  beforeAll(async () => {
    host = await openWebHost(world);
  });
  afterAll(async () => host.close());

  const keyIn = (page: string) => /\bbjk_(?:test|live)[a-z2-7]{16}_[a-z2-7]{52}\b/.exec(page)?.[0] ?? '';

  test('given its form, when a key is made, then it is shown once, works within its scopes, and revoked it does not', async () => {
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
    await eventually(async () => expect((await http.get('/v1/wallet')).status).toBe(401), {
      withinMs: revokedWithinMs,
    });
  }, 60_000);

  test('given keys that an administrator has made, when the owner looks, then he finds and revokes them', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const { record } = await createApiKey({ organizationId, mode: 'live', scopes: ['send'] }, new Date());
    expect((await visitor.get(path)).text).toContain(record._id);
    expect((await visitor.send(path, `${path}/revoke`, { keyId: record._id })).status).toBe(303);
    expect((await visitor.get(path)).text).not.toContain(record._id);
  });

  test('given the key of another organization, when its revocation is posted, then 404 and it works on', async () => {
    const visitor = await host.signedIn();
    const customer = await world.customer();
    expect((await visitor.get(path)).text).not.toContain(customer.keyId);
    const [form] = formsOf((await visitor.get(path)).text);
    const answer = await visitor.post(`${path}/revoke`, { ...form?.hidden, keyId: customer.keyId });
    expect(answer.status).toBe(404);
    expect((await customer.http.get('/v1/wallet')).status).toBe(200);
  });

  test('given a form without mode and scopes, when it is sent, then both are marked, and what was typed is kept', async () => {
    const visitor = await host.signedIn();
    const { status, text } = await visitor.send(path, path, { name: 'Kept <b>', action: 'create' });
    expect(status).toBe(400);
    expect(text).toContain('value="Kept &lt;b&gt;"');
    expect(text).toContain('href="#account-api-keys-scopes">Choose at least one option.</a>');
    expect(text).toContain('href="#account-api-keys-mode">Choose one of the options.</a>');
    expect(text.match(/ checked/g)).toBeNull();
    const invented = await visitor.send(path, path, { name: '', mode: 'test', scopes: ['read', 'admin'] });
    expect(invented.status).toBe(400);
    expect(keyIn(invented.text)).toBe('');
  });

  test('given the page, when its links are followed, then every page of the account is one of them', async () => {
    const visitor = await host.signedIn();
    const { text } = await visitor.get(path);
    const [, main = ''] = text.split('<main');
    for (const link of accountLinks.filter((other) => other.path !== path)) {
      expect(main).toContain(`href="/en${link.path}"`);
      expect((await visitor.get(link.path)).status).toBe(200);
    }
  });
});
