// Level: push
import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { noTexts, pagesWith } from '#api/web/framework/page.ts';
import { pages } from '#api/web/pages.ts';
import { plusMs } from '#common/clock.ts';
import { describe, eventually, expect, openOnce, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { createVisitor, formsOf, openWebHost, type WebHost } from '../support/web/web-host.ts';

const { definePage, defineAction } = pagesWith('anyone', noTexts);

/** A page with a one-time form, like the consent page. */
const oncePage = definePage({
  path: '/once',
  show: async ({ visit, sent }) =>
    view({
      title: 'Once',
      body: html`<h1>Once</h1>${postForm({ visit, sent, action: '/once', once: true }, (fields) => fields.submit({ value: 'allow', label: 'Allow' }))}`,
      formActionOrigins: ['https://app.example.com'],
    }),
});
const onceAction = defineAction({
  path: '/once',
  token: 'once',
  form: z.object({ action: z.enum(['allow']) }),
  page: oncePage,
  run: async () => redirect('https://app.example.com/callback'),
});

const slow = { begun: Promise.withResolvers<void>(), held: Promise.withResolvers<void>(), isFollowed: false };
/** A form whose response the test delays, with work after the response. */
const slowAction = defineAction({
  path: '/slow',
  form: z.object({}),
  page: oncePage,
  async run() {
    slow.begun.resolve();
    await slow.held.promise;
    const afterwards = async () => {
      slow.isFollowed = true;
    };
    return view({ title: 'Slow', body: html`<h1>Slow</h1>`, afterwards });
  },
});

describe('forms of the web host', () => {
  const world = startWorld({ hasTariffs: false });
  const clock = { offsetMs: 0, now: () => plusMs(new Date(), clock.offsetMs) };
  const host = openOnce(() => openWebHost(world, { clock, pages: [...pages, oncePage, onceAction, slowAction] }));

  const language = { language: 'fr' };
  const action = '/account/profile/language';

  async function tokenOf(visitor: ReturnType<WebHost['visitor']>): Promise<string> {
    const [form] = formsOf((await visitor.get('/account/profile')).text);
    return form?.hidden._csrf ?? '';
  }

  test('each form that posts has exactly one CSRF token, on every page', async () => {
    const visitor = await host.signedIn({ isAdmin: true });
    for (const path of ['/account', '/account/api-keys', '/account/profile', '/once']) {
      const { text } = await visitor.get(path);
      const forms = formsOf(text);
      expect(forms.length).toBeGreaterThan(0);
      expect(text.match(/<form\b/g)).toHaveLength(forms.length);
      for (const form of forms) expect([path, form.text.match(/name="_csrf"/g)?.length]).toEqual([path, 1]);
    }
  });

  test('missing, empty, forged and foreign CSRF tokens are 403', async () => {
    const visitor = await host.signedIn();
    const stranger = await host.signedIn();
    for (const fields of [{}, { _csrf: '' }, { _csrf: 'a'.repeat(43) }, { _csrf: await tokenOf(stranger) }]) {
      const answer = await visitor.post(action, { ...language, ...fields });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('<h1>Please send the form again</h1>');
    }
    expect((await visitor.post(action, { ...language, _csrf: await tokenOf(visitor) })).status).toBe(303);
  });

  test('a form from before the sign-in is 403 after it', async () => {
    const user = await host.makeUser();
    const visitor = host.visitor();
    const [before] = formsOf((await visitor.get('/sign-in')).text);
    await visitor.signIn(user);
    expect((await visitor.post(action, { ...language, ...before?.hidden })).status).toBe(403);
  });

  test('a post from another site is 403 even with a valid token', async () => {
    const visitor = await host.signedIn();
    const fields = { ...language, _csrf: await tokenOf(visitor) };
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) expect((await visitor.post(action, fields, headers)).status).toBe(403);
    const own = [{ origin: host.url }, { origin: 'null', 'sec-fetch-site': 'same-origin' }, { origin: 'null' }];
    for (const headers of own) expect((await visitor.post(action, fields, headers)).status).toBe(303);
  });

  test('a one-time form is 403 when reused, expired or submitted by another visitor', async () => {
    const visitor = await host.signedIn();
    const [, form] = formsOf((await visitor.get('/once')).text);
    const fields = { ...form?.hidden, action: 'allow' };
    const other = await host.signedIn();
    expect((await other.post('/once', fields)).status).toBe(403);
    const first = await visitor.post('/once', fields);
    expect([first.status, first.location]).toEqual([303, 'https://app.example.com/callback']);
    expect((await visitor.post('/once', fields)).status).toBe(403);

    const copy = createVisitor(host.url, new Map(visitor.cookies));
    const [, late] = formsOf((await copy.get('/once')).text);
    clock.offsetMs = 3_600_001;
    expect((await copy.post('/once', { ...late?.hidden, action: 'allow' })).status).toBe(403);
    clock.offsetMs = 0;
  });

  test('the policy of a page allows only the origin to which its form leads', async () => {
    const visitor = host.visitor();
    const policy = (await visitor.get('/once')).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://app.example.com;");
    expect((await visitor.get('/sign-in')).headers.get('content-security-policy')).toContain("form-action 'self';");
    expect(policy).not.toContain('unsafe-inline');
  });

  test('a body that is not a form is refused before all other checks', async () => {
    const visitor = await host.signedIn();
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const post = (body: string, contentType: string) =>
      fetch(host.url + action, { method: 'POST', body, headers: { cookie, 'content-type': contentType } });
    expect((await post('{}', 'application/json')).status).toBe(415);
    expect((await post('x', 'multipart/form-data; boundary=x')).status).toBe(415);
    expect((await post(`language=${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await post('language=%E9', 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await fetch(host.url + action, { method: 'DELETE' })).headers.get('allow')).toBe('POST');
  });

  test('work after a response runs even if the client disconnected before it', async () => {
    const visitor = await host.signedIn();
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const gone = new AbortController();
    const body = new URLSearchParams({ _csrf: await tokenOf(visitor) });
    const { signal } = gone;
    const asked = fetch(`${host.url}/slow`, { method: 'POST', body, headers: { cookie }, signal });
    asked.catch(() => {});
    await slow.begun.promise;
    gone.abort();
    // Once the host responds to other requests, it has noticed the closed connection.
    for (let index = 0; index < 5; index += 1) await visitor.get('/account/profile');
    slow.held.resolve();
    await eventually(async () => expect(slow.isFollowed).toBe(true));
  });
});
