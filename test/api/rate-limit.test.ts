import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express } from 'express';
import request from 'supertest';
import { createFailedAuthenticationLimit } from '../../api/middleware/failed-authentication-limit.ts';
import { createRateLimit } from '../../api/middleware/rate-limit.ts';
import { beginRequest, stateOf } from '../../api/request-state.ts';
import type { Credential } from '../../common/access/credential.ts';
import { AppError } from '../../common/errors.ts';
import { createGcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { createLog } from '../../common/platform/log.ts';
import { createRedis, type Redis } from '../../common/platform/redis.ts';
import { redisUrl } from '../support/redis-url.ts';

const log = createLog('test', 'silent');
/** So few a minute that no test is slow enough for the next one to become free. */
const limits = { readsPerMinute: 3, writesPerMinute: 2, burst: 3 };

const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (!(error instanceof AppError)) return void response.status(500).send(String(error));
  if (error.retryAfterS) response.set('Retry-After', String(error.retryAfterS));
  response.status(error.status).json(error.toBody());
};

/** The order of the API: request context, authentication, rate limit, handler; `bad` keys are refused. */
function newApp(redis: Redis, prefix: string): Express {
  const limiter = createGcraLimiter({ redis, prefix, log });
  const app = express().set('trust proxy', 1);
  app.use((req, _res, next) => {
    beginRequest(req, { requestId: randomUUID(), log });
    const key = req.get('x-api-key') ?? 'bad';
    if (key === 'bad') return next(new AppError('UNAUTHORIZED'));
    const own = key.startsWith('own') ? 1 : null;
    const owner = { organizationId: 'org_1', mode: 'test', kind: 'api-key', scopes: [] } as const;
    stateOf(req).credential = { ...owner, id: key, readsPerMinute: own, writesPerMinute: own } satisfies Credential;
    next();
  });
  app.use(createRateLimit({ limiter, limits }));
  app.use((_req, res) => void res.json({}));
  app.use(createFailedAuthenticationLimit({ limiter }));
  app.use(answerError);
  return app;
}

describe('the rate limit of the API', () => {
  let redis: Redis;
  let app: Express;
  const prefix = `test-${randomUUID()}`;
  beforeAll(async () => {
    // As patient as a worker: a busy machine must not make this count in its own memory.
    redis = createRedis(redisUrl(), 'worker', log);
    app = newApp(redis, prefix);
  });
  afterAll(() => redis.disconnect());

  const statuses = async (
    key: string,
    method: 'get' | 'head' | 'post' | 'patch' | 'delete',
    count: number,
    on = app,
  ) => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await request(on)[method]('/').set('x-api-key', key)).status);
    return found;
  };

  test('given a key, when it reads, then each answer names the quota, the rest and the time until it is whole', async () => {
    const key = randomUUID();
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await request(app).get('/').set('x-api-key', key);
      expect(status).toBe(200);
      expect(headers['ratelimit-policy']).toMatch(/^"read"; q=3; w=60; pk=:[A-Za-z0-9+/=]+:$/);
      expect(headers.ratelimit).toMatch(new RegExp(`^"read"; r=${remaining}; t=${(3 - remaining) * 20}$`));
      expect(headers['x-ratelimit-limit']).toBeUndefined();
    }
  });

  test('given a key whose quota is spent, when it asks again, then 429 with the body and Retry-After of the contract', async () => {
    // given
    const key = randomUUID();
    expect(await statuses(key, 'get', 3)).toEqual([200, 200, 200]);
    // when
    const refused = await request(app).get('/').set('x-api-key', key);
    // then
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ code: 'RATE_LIMITED', message: expect.any(String) });
    // The fourth in a minute has to wait until the first is a minute old.
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(55);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.headers.ratelimit).toMatch(/^"read"; r=0; t=\d+$/);
    expect(refused.headers['ratelimit-policy']).toContain('q=3; w=60');
  });

  test('given spent reads, when the key writes or another key reads, then they are untouched', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    expect(await statuses(key, 'get', 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(key, 'post', 3)).toEqual([200, 200, 429]);
    expect(await statuses(other, 'get', 1)).toEqual([200]);
  });

  test('given reads and writes, when they are told apart, then HEAD is a read and PATCH and DELETE are writes', async () => {
    const key = randomUUID();
    expect(await statuses(key, 'head', 3)).toEqual([200, 200, 200]);
    expect(await statuses(key, 'get', 1)).toEqual([429]);
    expect(await statuses(key, 'patch', 1)).toEqual([200]);
    expect(await statuses(key, 'delete', 1)).toEqual([200]);
    expect(await statuses(key, 'post', 1)).toEqual([429]);
  });

  test('given a key with limits of its own, when it asks, then those hold', async () => {
    const key = `own-${randomUUID()}`;
    const { headers } = await request(app).post('/').set('x-api-key', key);
    expect(headers['ratelimit-policy']).toContain('"write"; q=1; w=60');
    expect(await statuses(key, 'post', 1)).toEqual([429]);
    // The same number for reads, and still a count of its own.
    expect(await statuses(key, 'get', 2)).toEqual([200, 429]);
  });

  test('given two processes of the API, when both serve one key, then they share its count', async () => {
    const [key, second] = [randomUUID(), newApp(redis, prefix)];
    expect(await statuses(key, 'get', 2)).toEqual([200, 200]);
    expect(await statuses(key, 'get', 2, second)).toEqual([200, 429]);
  });

  test('given a host whose clock is an hour off, when a key asks, then quota and waits are the same', async () => {
    const key = randomUUID();
    const clock = Date.now.bind(Date);
    const skewed = jest.spyOn(Date, 'now').mockImplementation(() => clock() + 3_600_000);
    try {
      expect(await statuses(key, 'get', 3)).toEqual([200, 200, 200]);
      const refused = await request(app).get('/').set('x-api-key', key);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
      skewed.mockRestore();
      expect(await statuses(key, 'get', 1)).toEqual([429]);
    } finally {
      skewed.mockRestore();
    }
  });

  test('given a flood of wrong keys, when it passes 300 at once, then 429, and a valid key from there still works', async () => {
    // given
    const [here, elsewhere] = ['203.0.113.7', '198.51.100.9'];
    const wrong = (from: string) => request(app).get('/').set('x-forwarded-for', from);
    // when
    const answers = [await wrong(here)];
    // 10 more a second are let through, so that a slow machine needs more of them to be refused.
    while (answers.at(-1)?.status === 401 && answers.length < 1_000) answers.push(await wrong(here));
    // then
    const refused = answers.at(-1);
    expect(answers.length).toBeGreaterThan(300);
    expect(refused?.status).toBe(429);
    expect(refused?.headers['retry-after']).toBe('1');
    expect((await wrong(elsewhere)).status).toBe(401);
    const valid = await wrong(here).set('x-api-key', randomUUID());
    expect(valid.status).toBe(200);
  });
});
