import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { User } from '../../common/organizations/user.model.ts';
import { queueNames } from '../../common/platform/queues.ts';
import { basicOf, openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

describe('the board of queues at /admin/queues', () => {
  const world = startWorld();
  const clock = { offsetMs: 0, now: () => plusMs(new Date(), clock.offsetMs) };
  let host: WebHost;
  let admin: Awaited<ReturnType<WebHost['makeUser']>>;

  beforeAll(async () => {
    host = await openWebHost(world, clock);
    admin = await host.makeUser({ isAdmin: true });
  });
  afterAll(async () => host.close());

  const get = (path: string, authorization?: string) =>
    fetch(host.url + path, { headers: authorization === undefined ? {} : { authorization } });

  test('given no credentials, when anything of the board is opened, then 401 asks for them', async () => {
    for (const path of ['/admin/queues', '/admin/queues/api/queues', '/admin/queues/static/favicon.ico']) {
      const answer = await get(path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      expect(await answer.text()).toContain('<h1>Sign in</h1>');
    }
  });

  test('given credentials of nobody, when the board is opened, then 401', async () => {
    const wrong = [
      basicOf(admin.email, 'wrong password 1'),
      basicOf('nobody@example.com', admin.password),
      'Bearer bjk_test',
      `Basic ${Buffer.from('admin').toString('base64')}`,
    ];
    for (const authorization of wrong) expect((await get('/admin/queues', authorization)).status).toBe(401);
  });

  test('given a user who is no administrator, when he opens the board, then 403', async () => {
    const { basic } = await host.makeUser({ isAdmin: false });
    const answer = await get('/admin/queues', basic);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('<h1>For administrators only</h1>');
  });

  test('given an administrator, when the board is opened, then its page names no other host', async () => {
    const answer = await get('/admin/queues', admin.basic);
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
    const page = await (await get('/admin/queues', admin.basic)).text();
    const paths = [...page.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(4);
    for (const path of paths) expect((await get(`/admin/queues/${path}`, admin.basic)).status).toBe(200);
  });

  test('given messages in the queues, when an administrator looks, then every queue and its messages are shown', async () => {
    const id = `evt_${randomUUID()}`;
    await host.hints.add([{ queue: 'fan-out', id, delayMs: 60_000 }]);
    const path = '/admin/queues/api/queues?activeQueue=fan-out&status=delayed&jobsPerPage=1000';
    const { queues } = (await (await get(path, admin.basic)).json()) as {
      queues: { name: string; readOnlyMode: boolean; jobs: unknown[] }[];
    };
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
      const init = { method, headers: { authorization: admin.basic, 'content-type': 'application/json' }, body: '{}' };
      const answer = await fetch(host.url + path, init);
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    expect(await host.hints.queues[0]?.isPaused()).toBe(false);
  });

  test('given an administrator who is one no longer, when a minute has passed, then the board is closed', async () => {
    const former = await host.makeUser({ isAdmin: true });
    expect((await get('/admin/queues', former.basic)).status).toBe(200);
    await User.updateOne({ email: former.email }, { isAdmin: false });
    clock.offsetMs = 60_001;
    expect((await get('/admin/queues', former.basic)).status).toBe(403);
  });

  test('given ten wrong passwords from one address, when it tries on, then 429 with Retry-After', async () => {
    const attacked = await openWebHost(world);
    const open = (authorization: string) => fetch(`${attacked.url}/admin/queues`, { headers: { authorization } });
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await open(basicOf(admin.email, `guess number ${guess}`))).status).toBe(401);
    }
    const refused = await open(admin.basic);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await refused.text()).toContain('<h1>Too many attempts</h1>');
    await attacked.close();
  });
});
