// Level: push
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express } from 'express';
import request from 'supertest';
import { createFailedAuthenticationLimit } from '#api/middleware/failed-authentication-limit.ts';
import { createRateLimit } from '#api/middleware/rate-limit.ts';
import { beginRequest, stateOf } from '#api/requests/request-state.ts';
import { createApiKey } from '#common/access/api-keys.ts';
import type { Credential } from '#common/access/credential.ts';
import { AppError } from '#common/errors.ts';
import { createLog } from '#common/platform/process/log.ts';
import { createGcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis, type Redis } from '#common/platform/redis/redis.ts';
import { afterAll, beforeAll, describe, expect, guardMs, jest, test } from '../support/jest.ts';
import { anApplication } from '../support/product/application.ts';
import { createClient } from '../support/product/customer.ts';
import { startWorld, stopLimiter } from '../support/product/world.ts';
import { redisUrl } from '../support/servers/redis-url.ts';

const log = createLog('test', 'silent');
const limits = { readsPerMinute: 3, writesPerMinute: 2, burst: 3, organizationFactor: 100 };

const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (!(error instanceof AppError)) return void response.status(500).send(String(error));
  if (error.retryAfterS) response.set('Retry-After', String(error.retryAfterS));
  response.status(error.status).json(error.toBody());
};

const quote = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };

/** The same order as the API: request context, authentication, rate limit, handler. `bad` keys are refused. */
function newApp(redis: Redis, prefix: string, { isStill = true } = {}): Express {
  const moving = createGcraLimiter({ redis, prefix, log, timeoutMs: guardMs });
  const limiter = isStill ? stopLimiter(moving) : moving;
  const app = express().set('trust proxy', 1);
  app.use((req, _res, next) => {
    beginRequest(req, { requestId: randomUUID(), log });
    const key = req.get('x-api-key') ?? 'bad';
    if (key === 'bad') return next(new AppError('UNAUTHORIZED'));
    const own = key.startsWith('own') ? 1 : null;
    const owner = { organizationId: 'org_1', mode: 'test', kind: 'api-key', scopes: [] } as const;
    const caller = { id: key, actor: { kind: 'key', id: key } } as const;
    const about = { name: null, createdAt: new Date(), expiresAt: null };
    const quotas = { readsPerMinute: own, writesPerMinute: own };
    stateOf(req).credential = { ...owner, ...caller, ...about, ...quotas } satisfies Credential;
    next();
  });
  app.use(createRateLimit({ limiter, limits }));
  app.use((_req, res) => void res.json({}));
  app.use(createFailedAuthenticationLimit({ limiter, perMinute: 600 }));
  app.use(answerError);
  return app;
}

describe('the rate limit of the API', () => {
  let redis: Redis;
  let app: Express;
  const prefix = `test-${randomUUID()}`;
  beforeAll(async () => {
    // The timeouts of a worker, so a busy machine does not fall back to counting in memory.
    redis = createRedis({ url: redisUrl() }, 'worker', log);
    app = newApp(redis, prefix);
  });
  afterAll(() => redis.disconnect());

  const statuses = async (key: string, method: 'get' | 'head' | 'post' | 'patch' | 'delete', count: number) => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await request(app)[method]('/').set('x-api-key', key)).status);
    return found;
  };

  test('responses show the quota, the remainder and the time until it is restored', async () => {
    const key = randomUUID();
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await request(app).get('/').set('x-api-key', key);
      expect(status).toBe(200);
      expect(headers['ratelimit-policy']).toMatch(/^"read"; q=3; w=60; pk=:[A-Za-z0-9+/=]+:$/);
      expect(headers.ratelimit).toMatch(new RegExp(`^"read"; r=${remaining}; t=${(3 - remaining) * 20}$`));
      expect(headers['x-ratelimit-limit']).toBeUndefined();
    }
    // The fourth request has to wait until the first is one minute old.
    const { status, headers } = await request(app).get('/').set('x-api-key', key);
    expect([status, headers['retry-after']]).toEqual([429, '60']);
    expect(headers.ratelimit).toBe('"read"; r=0; t=60');
    expect(headers['ratelimit-policy']).toContain('q=3; w=60');
  });

  test('reads, writes and other keys have separate quotas', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    expect(await statuses(key, 'get', 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(key, 'post', 3)).toEqual([200, 200, 429]);
    expect(await statuses(other, 'get', 1)).toEqual([200]);
  });

  test('HEAD counts as a read, PATCH and DELETE count as writes', async () => {
    const key = randomUUID();
    expect(await statuses(key, 'head', 3)).toEqual([200, 200, 200]);
    expect(await statuses(key, 'get', 1)).toEqual([429]);
    expect(await statuses(key, 'patch', 1)).toEqual([200]);
    expect(await statuses(key, 'delete', 1)).toEqual([200]);
    expect(await statuses(key, 'post', 1)).toEqual([429]);
  });

  test('a key with its own limits is limited by them', async () => {
    const key = `own-${randomUUID()}`;
    const { headers } = await request(app).post('/').set('x-api-key', key);
    expect(headers['ratelimit-policy']).toContain('"write"; q=1; w=60');
    expect(await statuses(key, 'post', 1)).toEqual([429]);
    // The limit for reads has the same value but a separate count.
    expect(await statuses(key, 'get', 2)).toEqual([200, 429]);
  });

  test('a clock that is one hour off does not affect quotas and waits', async () => {
    const key = `own-${randomUUID()}`;
    const moving = newApp(redis, prefix, { isStill: false });
    const get = () => request(moving).get('/').set('x-api-key', key);
    const clock = Date.now.bind(Date);
    const skewed = jest.spyOn(Date, 'now').mockImplementation(() => clock() + 3_600_000);
    try {
      expect((await get()).status).toBe(200);
      expect((await get()).status).toBe(429);
    } finally {
      skewed.mockRestore();
    }
    const { status, headers } = await get();
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  test('over 300 wrong keys at once get 429, valid keys from that address still work', async () => {
    const [here, elsewhere] = ['203.0.113.7', '198.51.100.9'];
    const wrong = (from: string) => request(app).get('/').set('x-forwarded-for', from);
    for (let n = 0; n < 300; n += 1) expect((await wrong(here)).status).toBe(401);
    const refused = await wrong(here);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await wrong(elsewhere)).status).toBe(401);
    const valid = await wrong(here).set('x-api-key', randomUUID());
    expect(valid.status).toBe(200);
  });
});

describe('the quota of an organization, twice that of a key', () => {
  const environment = {
    RATE_LIMIT_WRITE_PER_MINUTE: '3',
    RATE_LIMIT_BURST: '3',
    RATE_LIMIT_ORGANIZATION_FACTOR: '2',
  };
  const world = startWorld({ areLimitsStill: true, environment });
  const post = (key: string) => createClient(world.url, key).post('/v1/quote', quote);

  test('three keys share twice the quota of one, then get 429 with Retry-After', async () => {
    const first = await world.customer();
    const { organizationId } = first;
    const [second, third] = [await world.customer({ organizationId }), await world.customer({ organizationId })];
    const live = await world.customer({ organizationId, mode: 'live' });
    const statuses: number[] = [];
    for (const { key } of [first, second]) {
      for (let n = 0; n < 3; n += 1) statuses.push((await post(key)).status);
    }
    expect(statuses).toEqual(Array(6).fill(200));
    const refused = await post(third.key);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    expect(refused.headers.get('ratelimit')).toMatch(/^"write"; r=0; t=\d+$/);
    expect(refused.headers.get('ratelimit-policy')).toContain('"write"; q=3; w=60');
    // Reads, the other mode and other organizations have separate quotas.
    expect((await createClient(world.url, third.key).get('/v1/wallet')).status).toBe(200);
    for (const { key } of [live, await world.customer()]) expect((await post(key)).status).toBe(200);
  });

  test('the headers show the remainder of the organization if it is smaller', async () => {
    const first = await world.customer();
    const { organizationId } = first;
    const second = await world.customer({ organizationId });
    const third = await world.customer({ organizationId });
    for (let n = 0; n < 3; n += 1) await post(first.key);
    expect((await post(second.key)).headers.get('ratelimit')).toMatch(/^"write"; r=2; /);
    expect((await post(third.key)).headers.get('ratelimit')).toMatch(/^"write"; r=1; /);
  });

  test('a key beyond its own quota does not use up the quota of other keys', async () => {
    const greedy = await world.customer();
    const { organizationId } = greedy;
    const statuses: number[] = [];
    for (let n = 0; n < 10; n += 1) statuses.push((await post(greedy.key)).status);
    expect(statuses).toEqual([200, 200, 200, ...Array(7).fill(429)]);
    const other = await world.customer({ organizationId });
    for (let n = 0; n < 3; n += 1) expect((await post(other.key)).status).toBe(200);
  });

  test('OAuth tokens count towards the quota of the organization', async () => {
    const customer = await world.customer();
    const { organizationId } = customer;
    const app = await anApplication(world);
    const tokens = [await app.authorize({ organizationId }), await app.authorize({ organizationId })];
    // At once, because a permit returns every ten seconds.
    const posts = tokens.flatMap(({ access_token }) => Array.from({ length: 3 }, () => post(access_token)));
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await post(customer.key)).status).toBe(429);
  });

  test('keys with a limit of at least the organization quota do not count towards it', async () => {
    const usual = await world.customer();
    const { organizationId } = usual;
    const statuses: number[] = [];
    const spendBurst = async (key: string) => {
      for (let n = 0; n < 3; n += 1) statuses.push((await post(key)).status);
    };
    for (const writesPerMinute of [6, 8, 8, 8]) {
      const wanted = { organizationId, mode: 'test', scopes: ['read'], writesPerMinute } as const;
      const { key } = await createApiKey(wanted, new Date());
      await spendBurst(key);
      const refused = await post(key);
      expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([
        429,
        expect.stringContaining(`q=${writesPerMinute}; w=60`),
      ]);
    }
    for (const { key } of [usual, await world.customer({ organizationId })]) await spendBurst(key);
    expect(statuses).toEqual(Array(18).fill(200));
    expect((await post((await world.customer({ organizationId })).key)).status).toBe(429);
  });
});
