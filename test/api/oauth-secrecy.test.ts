import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { authenticateClient } from '../../common/oauth/authenticate-client.ts';
import { disableClient } from '../../common/oauth/change-client.ts';
import { findFreePort } from '../../scripts/local-servers/ports.ts';
import { type Application, anApplication, anOrganization, statusOf } from '../support/application.ts';
import { createClient } from '../support/client.ts';
import { killStartedPrograms } from '../support/process-control.ts';
import { startProductProcess } from '../support/product-process.ts';
import { startWorld } from '../support/world.ts';

describe('what the OAuth routes give away', () => {
  const world = startWorld();
  let app: Application;
  beforeAll(async () => {
    app = await anApplication(world);
  });
  afterEach(killStartedPrograms);

  /** Another API process on the same stores. */
  async function startApi() {
    const port = String(await findFreePort());
    const environment = { ...world.environment, PORT: port, WEB_PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'trace' };
    return { api: await startProductProcess('api/server.ts', environment), url: `http://127.0.0.1:${port}` };
  }

  test('given a wrong secret, an unknown client or a disabled one (RFC 6749, 10.2), when it is refused, then the work and the words are the same', async () => {
    const hashesFor = async (clientId: string, secret: string): Promise<[number, string]> => {
      let count = 0;
      const hash = (text: string) => {
        count += 1;
        return createHash('sha256').update(text).digest('hex');
      };
      const parameters = new Map([
        ['client_id', clientId],
        ['client_secret', secret],
      ]);
      const outcome = await authenticateClient({ authorization: undefined, parameters, at: new Date() }, hash).then(
        () => 'let in',
        (error: Error) => error.message,
      );
      return [count, outcome];
    };
    const right = await hashesFor(app.clientId, app.secret);
    const wrong = await hashesFor(app.clientId, 'a'.repeat(52));
    const unknown = await hashesFor('bjc_aaaaaaaaaaaaaaaa', app.secret);
    expect(right).toEqual([1, 'let in']);
    expect(wrong).toEqual([1, expect.stringContaining('unknown')]);
    expect(unknown).toEqual(wrong);
    const ended = await anApplication(world);
    await disableClient(ended.clientId, new Date());
    expect(await hashesFor(ended.clientId, ended.secret)).toEqual(wrong);
  });

  test('given the whole way of an application, replay and faults included, when the log is read, then no code, token or secret is in it, and the replay is', async () => {
    const { api, url } = await startApi();
    const http = createClient(url);
    const post = (path: string, form: Record<string, string | undefined>) =>
      http.request('POST', path, {
        body: new URLSearchParams({ client_id: app.clientId, client_secret: app.secret, ...form } as Record<
          string,
          string
        >),
      });
    const form = await app.codeForm(await anOrganization(world));
    const { body: tokens } = await post('/oauth/token', form);
    const rotate = (token: string) => post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
    const { body: second } = await rotate(tokens.refresh_token);
    expect(await statusOf(world, second.access_token)).toBe(200);
    const { body: third } = await rotate(second.refresh_token);
    await http.get('/v1/wallet', { authorization: `Bearer ${third.access_token}` });
    expect((await rotate(tokens.refresh_token)).body.error).toBe('invalid_grant');
    // What one process has ended, the other knows at once.
    expect(await statusOf(world, third.access_token)).toBe(401);
    await http.get(`/v1/wallet?access_token=${third.access_token}`);
    await post('/oauth/revoke', { token: third.refresh_token });
    await post(`/oauth/token?refresh_token=${third.refresh_token}`, {});

    await api.waitForLine(/oauth_reuse_detected/, { withinMs: 5_000 });
    api.kill('SIGTERM');
    expect(await api.ended).toBe(0);
    const output = api.output();
    expect(JSON.parse(output.split('\n').find((line) => line.includes('oauth_reuse_detected')) ?? '')).toMatchObject({
      level: 'warn',
      reason: 'refresh-replay',
      clientId: app.clientId,
      grantId: tokens.access_token.split('_')[1],
      requestId: expect.any(String),
    });
    const secrets = [tokens, second, third].flatMap((pair) => [pair.access_token, pair.refresh_token]);
    for (const secret of [...secrets, form.code ?? '', form.code_verifier ?? '', app.secret]) {
      expect(output).not.toContain(secret.split('_').at(-1));
    }
    expect(output).not.toMatch(/bj[aro]_/);
  });
});

describe('the limits of the OAuth routes', () => {
  const environment = { RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: '4', RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: '11' };
  const world = startWorld({ environment });

  test('given a client over its quota, and an address over its own, when they ask again, then 429 with Retry-After; wrong secrets use up no quota of a client', async () => {
    const [app, other] = [await anApplication(world), await anApplication(world)];
    const nonsense = { grant_type: 'x' };
    for (let guess = 0; guess < 4; guess += 1) {
      expect(
        (await app.post('/oauth/token', { ...nonsense, client_id: app.clientId, client_secret: 'x' })).status,
      ).toBe(401);
    }
    const statuses = [];
    for (let request = 0; request < 5; request += 1) statuses.push((await app.token(nonsense)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 429]);
    expect((await other.token(nonsense)).status).toBe(400);
    expect((await other.revoke({ token: 'x' })).status).toBe(200);
    const { status, headers, body } = await other.token(nonsense);
    expect([status, body.error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
