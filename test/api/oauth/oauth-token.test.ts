// Level: push
import { OAuthGrant } from '#common/access/grant.model.ts';
import { byLevel, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { type Application, anApplication, type Form, statusOf } from '#test/support/product/application.ts';
import { startWorld } from '#test/support/product/world.ts';

const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });
const width = 50;
const rounds = byLevel({ quick: 1, full: 6, long: 40 });
const racing = <T>(run: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: width }, run));

describe('POST /oauth/token with a code', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const app = openOnce(() => anApplication(world));
  const other = openOnce(() => anApplication(world));
  const owner = openOnce(() => world.customer());

  test('a code is exchanged for a token pair stored only as hashes (RFC 6749, 4.1.3 and 5.1)', async () => {
    const { status, headers, body } = await app.token(await app.codeForm(owner.organizationId, ['send', 'read']));
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^bja_[a-z2-7]{16}_[a-z2-7]{52}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^bjr_[a-z2-7]{16}_[a-z2-7]{68}$/),
      scope: 'read send',
      organization_id: owner.organizationId,
      organization_name: expect.stringMatching(/./),
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
  ])('%s is invalid_grant and keeps the code valid (RFC 6749, 5.2; RFC 7636, 4.6)', async (_, wrong) => {
    const form = await app.codeForm(owner.organizationId);
    const refused = await app.token({ ...form, ...wrong });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect((await app.token(form)).status).toBe(200);
  });

  test('a code presented by another client is invalid_grant and stays valid (RFC 6749, 5.2)', async () => {
    const form = await app.codeForm(owner.organizationId);
    expect((await other.token({ ...form, redirect_uri: app.redirectUri })).body.error).toBe('invalid_grant');
    expect((await app.token(form)).status).toBe(200);
  });

  test('a code expires after 60 s (RFC 6749, 4.1.2)', async () => {
    const [early, late] = [await app.codeForm(owner.organizationId), await app.codeForm(owner.organizationId)];
    clock.advance(59_999);
    expect((await app.token(early)).status).toBe(200);
    clock.advance(1);
    expect((await app.token(late)).body.error).toBe('invalid_grant');
  });

  test('a repeated code is invalid_grant and ends its tokens, even much later (RFC 6749, 4.1.2)', async () => {
    for (const afterMs of [0, 600_000]) {
      const form = await app.codeForm(owner.organizationId);
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
  ])('a token request with %s is 400 with the right error code (RFC 6749, 5.2)', async (_, wrong, error) => {
    const { status, headers, body } = await app.token({ ...(await app.codeForm(owner.organizationId)), ...wrong });
    expect([status, body]).toEqual([400, { error, error_description: expect.any(String) }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['JSON', 'application/json', '{"grant_type":"authorization_code"}'],
    ['plain text', 'text/plain', 'grant_type=authorization_code'],
    ['no type', '', 'grant_type=authorization_code'],
    ['bytes that are not UTF-8', 'application/x-www-form-urlencoded', 'grant_type=authorization_code&code=%E9'],
    ['17 KiB', 'application/x-www-form-urlencoded', `x=${'a'.repeat(17 * 1024)}`],
  ])('a body of %s is 400 invalid_request (RFC 6749, 3.2)', async (_, type, body) => {
    const answer = await fetch(`${world.url}/oauth/token`, { method: 'POST', body, headers: { 'content-type': type } });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('a parameter given twice or in the query is invalid_request (RFC 6749, 3.2)', async () => {
    const form = await app.codeForm(owner.organizationId);
    const own = { client_id: app.clientId, client_secret: app.secret };
    const pairs = new URLSearchParams({ ...own, ...form } as Record<string, string>);
    const inAddress = await fetch(`${world.url}/oauth/token?${pairs}`, { method: 'POST', body: pairs });
    expect([inAddress.status, await inAddress.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    pairs.append('code', form.code ?? '');
    const twice = await fetch(`${world.url}/oauth/token`, { method: 'POST', body: pairs });
    expect([twice.status, await twice.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    expect((await app.token(form)).status).toBe(200);
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s on the token route is 405 with Allow', async (method) => {
    const answer = await fetch(`${world.url}/oauth/token`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('a URL-encoded secret in the Basic header is accepted (RFC 6749, 2.3.1)', async () => {
    const form = await app.codeForm(owner.organizationId);
    const encoded = [...app.clientId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    expect((await app.post('/oauth/token', form, basic(encoded, app.secret))).status).toBe(200);
  });

  test.each<[string, (app: Application) => [Form, Record<string, string>?], error?: string]>([
    ['a wrong secret in the form', ({ clientId }) => [{ client_id: clientId, client_secret: 'a'.repeat(52) }]],
    ['a wrong secret in the header', ({ clientId }) => [{}, basic(clientId, 'wrong')]],
    ['an empty secret in the header', ({ clientId }) => [{}, basic(clientId, '')]],
    ['no secret', ({ clientId }) => [{ client_id: clientId }]],
    ['nothing', () => [{}]],
    ['an unknown client', ({ secret }) => [{ client_id: 'bjc_aaaaaaaaaaaaaaaa', client_secret: secret }]],
    ['another scheme', ({ secret }) => [{}, { authorization: `Bearer ${secret}` }]],
    ['broken urlencoding', ({ clientId }) => [{}, basic(`${clientId}%`, 'x')]],
    ['both ways', ({ clientId, secret }) => [{ client_secret: secret }, basic(clientId, secret)], 'invalid_request'],
    ['two clients', ({ clientId, secret }) => [{ client_id: 'bjc_x' }, basic(clientId, secret)], 'invalid_request'],
  ])('%s is refused and keeps the code valid (RFC 6749, 2.3 and 5.2)', async (_, make, error = 'invalid_client') => {
    const status = error === 'invalid_client' ? 401 : 400;
    const form = await app.codeForm(owner.organizationId);
    const [fields, headers] = make(app);
    const refused = await app.post('/oauth/token', { ...form, ...fields }, headers);
    expect([refused.status, refused.body.error]).toEqual([status, error]);
    expect(refused.headers.get('www-authenticate')).toBe(
      status === 401 ? 'Basic realm="OAuth", charset="UTF-8"' : null,
    );
    expect((await app.token(form)).status).toBe(200);
  });
});

describe('concurrent token requests', () => {
  const world = startWorld();
  const app = openOnce(() => anApplication(world));
  const owner = openOnce(() => world.customer());

  test(`one of ${width} concurrent exchanges of a code wins, and its tokens are revoked (${rounds} rounds)`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const form = await app.codeForm(owner.organizationId);
      const answers = await racing(() => app.token(form));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const lost = answers.filter(({ body }) => body.error === 'invalid_grant');
      expect(lost).toHaveLength(width - 1);
      expect(await statusOf(world, won[0]?.body.access_token)).toBe(401);
      expect((await app.refresh(won[0]?.body.refresh_token)).body.error).toBe('invalid_grant');
    }
  });

  test(`${width} concurrent refreshes of a token all return one new pair that works (${rounds} rounds)`, async () => {
    let { refresh_token } = await app.authorize({ organizationId: owner.organizationId });
    const [, grantId = ''] = refresh_token.split('_');
    for (let round = 0; round < rounds; round += 1) {
      const before = (await OAuthGrant.findById(grantId).orFail()).accessTokens.length;
      const answers = await racing(() => app.refresh(refresh_token));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: width }, () => 200));
      const pairs = new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token} ${body.scope}`));
      expect(pairs.size).toBe(1);
      const { accessTokens } = await OAuthGrant.findById(grantId).orFail();
      expect(accessTokens).toHaveLength(Math.min(before + 1, 10));
      refresh_token = answers[0]?.body.refresh_token;
      expect(await statusOf(world, answers[0]?.body.access_token)).toBe(200);
    }
  });

  test(`no token survives a revocation that races with a refresh (${rounds} rounds)`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { refresh_token } = await app.authorize({ organizationId: owner.organizationId });
      const refreshes = Array.from({ length: 10 }, () => app.refresh(refresh_token));
      const revocation = app.revoke({ token: refresh_token });
      const answers = await Promise.all([...refreshes, revocation]);
      // Try each token once: the ten refreshes return the same pair, and 300 requests with invalid tokens are
      // RATE_LIMITED.
      const issued = new Set(answers.flatMap(({ body }) => body?.access_token ?? []));
      for (const token of issued) expect(await statusOf(world, token)).toBe(401);
    }
  });
});
