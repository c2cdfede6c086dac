import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createWebApp } from '../../api/web/web-app.ts';
import { plusMs } from '../../common/clock.ts';
import { createUser } from '../../common/organizations/create-user.ts';
import { User } from '../../common/organizations/user.model.ts';
import { createGcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { closeServer, listen } from '../../common/platform/metrics.ts';
import { queueNames } from '../../common/platform/queues.ts';
import { startWorld } from '../support/world.ts';

describe('the board of queues at /admin/queues', () => {
  const world = startWorld();
  const clock = { offsetMs: 0, now: () => plusMs(new Date(), clock.offsetMs) };
  const password = 'correct horse battery';
  const admin = basic('admin@example.com', password);
  const user = basic('user@example.com', password);
  let server: Server;
  let url: string;

  beforeAll(async () => {
    ({ server, url } = await openWebHost());
    const { organizationId } = await world.customer();
    await createUser({ organizationId, email: 'admin@example.com', password, isAdmin: true }, new Date());
    await createUser({ organizationId, email: 'user@example.com', password, isAdmin: false }, new Date());
  });
  afterAll(async () => closeServer(server));

  async function openWebHost() {
    const { config, hints, log, redis } = world;
    const limiter = createGcraLimiter({ redis, prefix: `${config.redis.queuePrefix}:${randomUUID()}`, log });
    const opened = createServer(createWebApp({ config, hints, limiter, clock, log }));
    return { server: opened, url: `http://127.0.0.1:${await listen(opened, 0)}` };
  }
  const get = (path: string, authorization?: string) =>
    fetch(url + path, { headers: authorization === undefined ? {} : { authorization } });

  test('given no credentials, when the board is opened, then 401 asks for them and nothing of it is shown', async () => {
    for (const path of ['/admin/queues', '/admin/queues/api/queues', '/admin/queues/static/favicon.ico']) {
      const answer = await get(path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      expect(await answer.text()).toContain('<h1>Sign in</h1>');
    }
  });

  test.each([
    ['a wrong password', basic('admin@example.com', 'wrong password 1'), 401],
    ['an unknown e-mail', basic('nobody@example.com', password), 401],
    ['something that is no Basic header', 'Bearer bjk_test', 401],
    ['a Basic header without a colon', `Basic ${Buffer.from('admin').toString('base64')}`, 401],
    ['a user who is no administrator', user, 403],
  ])('given %s, when the board is opened, then it stays closed', async (_what, authorization, status) => {
    expect((await get('/admin/queues', authorization)).status).toBe(status);
  });

  test('given an administrator, when the board is opened, then its page names no other host', async () => {
    const answer = await get('/admin/queues', admin);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('Bluejay queues');
    expect(page).toContain('<base href="/admin/queues/" />');
    expect(page).not.toMatch(/https?:\/\/|<%/);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/https?:|\*/);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });

  test('given the page, when what it loads is asked for, then all of it is there', async () => {
    const page = await (await get('/admin/queues', admin)).text();
    const paths = [...page.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(4);
    for (const path of paths) expect((await get(`/admin/queues/${path}`, admin)).status).toBe(200);
  });

  test('given messages in the queues, when an administrator looks, then every queue and its messages are shown', async () => {
    const id = `evt_${randomUUID()}`;
    await world.hints.add([{ queue: 'fan-out', id, delayMs: 60_000 }]);
    const answer = await get('/admin/queues/api/queues?activeQueue=fan-out&status=delayed&jobsPerPage=1000', admin);
    const { queues } = (await answer.json()) as { queues: { name: string; readOnlyMode: boolean; jobs: unknown[] }[] };
    expect(queues.map(({ name }) => name).sort()).toEqual([...queueNames].sort());
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    expect(JSON.stringify(queues.find(({ name }) => name === 'fan-out')?.jobs)).toContain(id);
  });

  test('given an administrator, when anything is to be changed through the board, then 405 and it is as it was', async () => {
    const changes = [
      ['PUT', '/admin/queues/api/queues/pause'],
      ['PUT', '/admin/queues/api/queues/render/empty'],
      ['PUT', '/admin/queues/api/queues/render/obliterate'],
      ['POST', '/admin/queues/api/queues/render/add'],
      ['PATCH', '/admin/queues/api/queues/render/1/update-data'],
    ] as const;
    for (const [method, path] of changes) {
      const init = { method, headers: { authorization: admin, 'content-type': 'application/json' }, body: '{}' };
      const answer = await fetch(url + path, init);
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    expect(await world.hints.queues[0]?.isPaused()).toBe(false);
  });

  test('given an administrator who is one no longer, when a minute has passed, then the board is closed', async () => {
    const email = 'former@example.com';
    const { organizationId } = await world.customer();
    await createUser({ organizationId, email, password, isAdmin: true }, new Date());
    expect((await get('/admin/queues', basic(email, password))).status).toBe(200);
    await User.updateOne({ email }, { isAdmin: false });
    clock.offsetMs = 60_001;
    expect((await get('/admin/queues', basic(email, password))).status).toBe(403);
  });

  test('given ten wrong passwords from one address, when it tries on, then 429 with Retry-After and a pause helps', async () => {
    const attacked = await openWebHost();
    const open = (authorization: string) =>
      fetch(`${attacked.url}/admin/queues`, { headers: { authorization } }).then((answer) => answer);
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await open(basic('admin@example.com', `guess number ${guess}`))).status).toBe(401);
    }
    const refused = await open(admin);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await refused.text()).toContain('<h1>Too many attempts</h1>');
    await closeServer(attacked.server);
  });
});

function basic(email: string, password: string): string {
  return `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
}
