// Level: push
import { randomUUID } from 'node:crypto';
import { User } from '#common/organizations/user.model.ts';
import { queueNames } from '#common/platform/redis/queues.ts';
import { describe, expect, openOnce, test } from '../support/jest.ts';
import { startWebHost } from '../support/web/web-host.ts';

describe('Bull Board at /admin/queues', () => {
  const { host } = startWebHost();
  const admin = openOnce(() => host.signedIn({ isAdmin: true }));

  test('visitors are sent to the sign-in and return to the board', async () => {
    for (const path of ['/admin/queues', '/admin/queues/api/queues', '/admin/queues/static/favicon.ico']) {
      const answer = await host.visitor().get(path);
      expect([answer.status, answer.location]).toEqual([303, `/en/sign-in?next=${encodeURIComponent(path)}`]);
    }
    const user = await host.makeUser({ isAdmin: true });
    const visitor = host.visitor();
    const { location } = await visitor.signIn(user, '/en/sign-in?next=%2Fadmin%2Fqueues');
    expect(location).toBe('/admin/queues');
    expect((await visitor.get('/admin/queues')).status).toBe(200);
  });

  test('users without administrator rights get 403', async () => {
    const visitor = await host.signedIn();
    const answer = await visitor.get('/admin/queues');
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('<h1>For administrators only</h1>');
  });

  test('HTTP Basic credentials are ignored', async () => {
    const { email, password } = await host.makeUser({ isAdmin: true });
    const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
    expect((await host.visitor().get('/admin/queues', { authorization })).status).toBe(303);
  });

  test('the page of the board references no other host', async () => {
    const { status, text: page, headers } = await admin.get('/admin/queues');
    expect(status).toBe(200);
    expect(page).toContain('Bluejay queues');
    expect(page).toContain('<base href="/admin/queues/" />');
    expect(page).not.toMatch(/https?:\/\/|<%/);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/https?:|\*/);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('all assets of the page are served', async () => {
    const { text: page } = await admin.get('/admin/queues');
    const paths = [...page.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(4);
    for (const path of paths) expect((await admin.get(`/admin/queues/${path}`)).status).toBe(200);
  });

  test('an administrator sees every queue and its messages', async () => {
    const id = `evt_${randomUUID()}`;
    await host.hints.add([{ queue: 'fan-out', id, delayMs: 60_000 }]);
    const path = '/admin/queues/api/queues?activeQueue=fan-out&status=delayed&jobsPerPage=1000';
    const { queues } = JSON.parse((await admin.get(path)).text) as {
      queues: { name: string; readOnlyMode: boolean; jobs: unknown[] }[];
    };
    expect(queues.map(({ name }) => name).sort()).toEqual([...queueNames].sort());
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    expect(JSON.stringify(queues.find(({ name }) => name === 'fan-out')?.jobs)).toContain(id);
  });

  test('changes through the board are refused with 405', async () => {
    const changes = [
      ['PUT', '/admin/queues/api/queues/pause'],
      ['PUT', '/admin/queues/api/queues/render/empty'],
      ['PUT', '/admin/queues/api/queues/render/obliterate'],
      ['POST', '/admin/queues/api/queues/render/add'],
      ['PATCH', '/admin/queues/api/queues/render/1/update-data'],
    ] as const;
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const [method, path] of changes) {
      const init = { method, headers: { cookie, 'content-type': 'application/json' }, body: '{}' };
      const answer = await fetch(host.url + path, init);
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    expect(await host.hints.queues[0]?.isPaused()).toBe(false);
  });

  test('former administrators lose access to the board', async () => {
    const former = await host.signedIn({ isAdmin: true });
    expect((await former.get('/admin/queues')).status).toBe(200);
    await User.updateOne({ email: former.user.email }, { isAdmin: false });
    expect((await former.get('/admin/queues')).status).toBe(403);
  });
});
