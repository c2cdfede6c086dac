// Level: ci
import { afterEach, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms } from '#test/support/processes/process-control.ts';
import { type ApiProcess, startApis } from '#test/support/product/api-fleet.ts';
import { anApplication, anOrganization, statusOf } from '#test/support/product/application.ts';
import { createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('what the OAuth routes log', () => {
  const world = startWorld();
  const app = openOnce(() => anApplication(world));
  afterEach(killStartedPrograms);

  test('the log has replays, but no code, token or secret, for a whole flow with faults', async () => {
    const [{ program: api, url }] = (await startApis(world, 1, { LOG_LEVEL: 'trace' })) as [ApiProcess];
    const http = createClient(url);
    const own = { client_id: app.clientId, client_secret: app.secret };
    const post = (path: string, form: Record<string, string | undefined>) =>
      http.request('POST', path, { body: new URLSearchParams({ ...own, ...form } as Record<string, string>) });
    const form = await app.codeForm(await anOrganization(world));
    const { body: tokens } = await post('/oauth/token', form);
    const rotate = (token: string) => post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
    const { body: second } = await rotate(tokens.refresh_token);
    expect(await statusOf(world, second.access_token)).toBe(200);
    const { body: third } = await rotate(second.refresh_token);
    await http.get('/v1/wallet', { authorization: `Bearer ${third.access_token}` });
    expect((await rotate(tokens.refresh_token)).body.error).toBe('invalid_grant');
    // A revocation by one process applies to the other at once.
    expect(await statusOf(world, third.access_token)).toBe(401);
    await http.get(`/v1/wallet?access_token=${third.access_token}`);
    await post('/oauth/revoke', { token: third.refresh_token });
    await post(`/oauth/token?refresh_token=${third.refresh_token}`, {});

    await api.waitForLine(/oauth_reuse_detected/);
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
      // Without prefix and id. A secret may have underscores itself.
      expect(output).not.toContain(secret.replace(/^bj[a-z]_[^_]+_/, ''));
    }
    expect(output).not.toMatch(/bj[aro]_/);
  });
});
