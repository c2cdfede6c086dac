import { beforeAll, describe, expect, test } from '@jest/globals';
import { OAuthGrant } from '../../common/oauth/grant.model.ts';
import { type Application, anApplication, anOrganization, type Form, statusOf } from '../support/application.ts';
import { standingClock } from '../support/clock.ts';
import { startWorld } from '../support/world.ts';

const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });

describe('POST /oauth/token with a code', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  let app: Application;
  let other: Application;
  let organizationId: string;
  beforeAll(async () => {
    app = await anApplication(world);
    other = await anApplication(world);
    organizationId = await anOrganization(world);
  });

  test('given a code, when it is exchanged (RFC 6749, 4.1.3 and 5.1), then a pair of tokens comes, of which only hashes are stored', async () => {
    const { status, headers, body } = await app.token(await app.codeForm(organizationId, ['send', 'read']));
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^bja_[a-z2-7]{16}_[a-z2-7]{52}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^bjr_[a-z2-7]{16}_[a-z2-7]{68}$/),
      scope: 'read send',
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    const stored = JSON.stringify(await OAuthGrant.find().lean());
    for (const token of [body.access_token, body.refresh_token]) expect(stored).not.toContain(token.split('_')[2]);
  });

  const v = 'v'.repeat(43);
  test.each<[string, Form]>([
    ['a wrong verifier', { code_verifier: v }],
    ['no verifier', { code_verifier: undefined }],
    ['a short verifier', { code_verifier: 'v'.repeat(42) }],
    ['a long verifier', { code_verifier: 'v'.repeat(129) }],
    ['another redirect_uri', { redirect_uri: 'https://app.example/back' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['an unknown code', { code: `bjo_${'a'.repeat(16)}_${'a'.repeat(52)}` }],
    ['a code of another shape', { code: 'x' }],
  ])(
    'given %s (RFC 6749, 5.2; RFC 7636, 4.6), when it is exchanged, then invalid_grant, and the code is still good',
    async (_, wrong) => {
      const form = await app.codeForm(organizationId);
      const refused = await app.token({ ...form, ...wrong });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect((await app.token(form)).status).toBe(200);
    },
  );

  test('given another client (RFC 6749, 5.2), when it presents the code, then invalid_grant, and the victim can go on', async () => {
    const form = await app.codeForm(organizationId);
    expect((await other.token({ ...form, redirect_uri: app.redirectUri })).body.error).toBe('invalid_grant');
    expect((await app.token(form)).status).toBe(200);
  });

  test('given a code (RFC 6749, 4.1.2), when it is 60 s old, then invalid_grant; a moment before, tokens', async () => {
    const [early, late] = [await app.codeForm(organizationId), await app.codeForm(organizationId)];
    clock.advance(59_999);
    expect((await app.token(early)).status).toBe(200);
    clock.advance(1);
    expect((await app.token(late)).body.error).toBe('invalid_grant');
  });

  test('given a code that was used (RFC 6749, 4.1.2), when it comes again, even much later, then invalid_grant, and its tokens are dead', async () => {
    for (const afterMs of [0, 600_000]) {
      const form = await app.codeForm(organizationId);
      const { body: first } = await app.token(form);
      clock.advance(afterMs);
      expect(await statusOf(world, first.access_token)).toBe(200);
      const again = await app.token(form);
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
      expect(await statusOf(world, first.access_token)).toBe(401);
      expect((await app.refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    }
  });

  test.each<[string, Form, string]>([
    ['no grant_type', { grant_type: undefined }, 'invalid_request'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['an empty code', { code: '' }, 'invalid_request'],
    ['the password grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['the implicit grant', { grant_type: 'implicit' }, 'unsupported_grant_type'],
    ['client credentials', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('given %s (RFC 6749, 5.2), when a token is asked for, then 400 and the right word', async (_, wrong, error) => {
    const { status, headers, body } = await app.token({ ...(await app.codeForm(organizationId)), ...wrong });
    expect([status, body]).toEqual([400, { error, error_description: expect.any(String) }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['JSON', 'application/json', '{"grant_type":"authorization_code"}'],
    ['plain text', 'text/plain', 'grant_type=authorization_code'],
    ['no type', '', 'grant_type=authorization_code'],
    ['17 KiB', 'application/x-www-form-urlencoded', `x=${'a'.repeat(17 * 1024)}`],
  ])('given a body of %s (RFC 6749, 3.2), when it is posted, then 400 invalid_request', async (_, type, body) => {
    const answer = await fetch(`${world.url}/oauth/token`, { method: 'POST', body, headers: { 'content-type': type } });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('given a parameter twice, or in the address (RFC 6749, 3.2), when a token is asked for, then invalid_request', async () => {
    const form = await app.codeForm(organizationId);
    const own = { client_id: app.clientId, client_secret: app.secret };
    const pairs = new URLSearchParams({ ...own, ...form } as Record<string, string>);
    const inAddress = await fetch(`${world.url}/oauth/token?${pairs}`, { method: 'POST', body: pairs });
    expect([inAddress.status, await inAddress.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    pairs.append('code', form.code ?? '');
    const twice = await fetch(`${world.url}/oauth/token`, { method: 'POST', body: pairs });
    expect([twice.status, await twice.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    expect((await app.token(form)).status).toBe(200);
  });

  test.each(['GET', 'PUT', 'DELETE'])(
    'given %s, when the token route is asked, then 405 with Allow',
    async (method) => {
      const answer = await fetch(`${world.url}/oauth/token`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
    },
  );

  test('given the secret in the Basic header, urlencoded (RFC 6749, 2.3.1), when a code is exchanged, then it counts', async () => {
    const form = await app.codeForm(organizationId);
    const encoded = [...app.clientId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    expect((await app.post('/oauth/token', form, basic(encoded, app.secret))).status).toBe(200);
  });

  test.each<[string, (app: Application) => [Form, Record<string, string>?], number, string]>([
    [
      'a wrong secret in the form',
      ({ clientId }) => [{ client_id: clientId, client_secret: 'a'.repeat(52) }],
      401,
      'invalid_client',
    ],
    ['a wrong secret in the header', ({ clientId }) => [{}, basic(clientId, 'wrong')], 401, 'invalid_client'],
    ['an empty secret in the header', ({ clientId }) => [{}, basic(clientId, '')], 401, 'invalid_client'],
    ['no secret', ({ clientId }) => [{ client_id: clientId }], 401, 'invalid_client'],
    ['nothing', () => [{}], 401, 'invalid_client'],
    [
      'an unknown client',
      ({ secret }) => [{ client_id: 'bjc_aaaaaaaaaaaaaaaa', client_secret: secret }],
      401,
      'invalid_client',
    ],
    ['another scheme', ({ secret }) => [{}, { authorization: `Bearer ${secret}` }], 401, 'invalid_client'],
    ['broken urlencoding', ({ clientId }) => [{}, basic(`${clientId}%`, 'x')], 401, 'invalid_client'],
    [
      'both ways at once',
      ({ clientId, secret }) => [{ client_secret: secret }, basic(clientId, secret)],
      400,
      'invalid_request',
    ],
    [
      'two clients',
      ({ clientId, secret }) => [{ client_id: 'bjc_x' }, basic(clientId, secret)],
      400,
      'invalid_request',
    ],
  ])(
    'given %s (RFC 6749, 2.3 and 5.2), when a code is exchanged, then it is refused and still good',
    async (_, make, status, error) => {
      const form = await app.codeForm(organizationId);
      const [fields, headers] = make(app);
      const refused = await app.post('/oauth/token', { ...form, ...fields }, headers);
      expect([refused.status, refused.body.error]).toEqual([status, error]);
      expect(refused.headers.get('www-authenticate')).toBe(
        status === 401 ? 'Basic realm="OAuth", charset="UTF-8"' : null,
      );
      expect((await app.token(form)).status).toBe(200);
    },
  );
});
