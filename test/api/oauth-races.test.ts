import { beforeAll, describe, expect, test } from '@jest/globals';
import { OAuthGrant } from '../../common/oauth/grant.model.ts';
import { type Application, anApplication, anOrganization, statusOf } from '../support/application.ts';
import { byLevel } from '../support/test-level.ts';
import { startWorld } from '../support/world.ts';

const width = 50;
const rounds = byLevel({ quick: 3, full: 40 });
const racing = <T>(run: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: width }, run));

describe('races for tokens', () => {
  const world = startWorld();
  let app: Application;
  let organizationId: string;
  beforeAll(async () => {
    app = await anApplication(world);
    organizationId = await anOrganization(world);
  });

  test(`given one code, when ${width} exchange it at once (RFC 6749, 4.1.2), then one gets tokens, and they are dead, in ${rounds} rounds`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const form = await app.codeForm(organizationId);
      const answers = await racing(() => app.token(form));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const lost = answers.filter(({ body }) => body.error === 'invalid_grant');
      expect(lost).toHaveLength(width - 1);
      expect(await statusOf(world, won[0]?.body.access_token)).toBe(401);
      expect((await app.refresh(won[0]?.body.refresh_token)).body.error).toBe('invalid_grant');
    }
  }, 240_000);

  test(`given one refresh token, when ${width} use it at once (RFC 9700, 4.14.2), then all get one new pair, which works, in ${rounds} rounds`, async () => {
    let { refresh_token } = await app.authorize({ organizationId });
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
  }, 240_000);

  test(`given a refresh under way, when the grant is revoked at the same time, then no token outlives it, in ${rounds} rounds`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { refresh_token } = await app.authorize({ organizationId });
      const refreshes = Array.from({ length: 10 }, () => app.refresh(refresh_token));
      const revocation = app.revoke({ token: refresh_token });
      const answers = await Promise.all([...refreshes, revocation]);
      for (const { body } of answers) {
        if (body?.access_token) expect(await statusOf(world, body.access_token)).toBe(401);
      }
    }
  }, 240_000);
});
