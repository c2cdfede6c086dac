import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { html } from 'hono/html';
import { z } from 'zod';
import { redirect, view } from '../../api/web/answer.ts';
import { defineAction, definePage } from '../../api/web/page.ts';
import { pages } from '../../api/web/pages/index.ts';
import { postForm } from '../../api/web/views/form.ts';
import { plusMs } from '../../common/clock.ts';
import { createVisitor, formsOf } from '../support/visitor.ts';
import { openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

/** A page whose form is good for one post, such as a consent. */
const oncePage = definePage({
  path: '/once',
  access: 'anyone',
  show: async ({ visit, sent }) =>
    view({
      title: 'Once',
      body: html`<h1>Once</h1>${postForm({ visit, sent, action: '/once', once: true }, (fields) => fields.submit({ value: 'allow', label: 'Allow' }))}`,
      formActionOrigins: ['https://app.example.com'],
    }),
});
const onceAction = defineAction({
  path: '/once',
  access: 'anyone',
  token: 'once',
  form: z.object({ action: z.enum(['allow']) }),
  page: oncePage,
  run: async () => redirect('https://app.example.com/callback'),
});

describe('forms of the web host', () => {
  const world = startWorld({ hasTariffs: false });
  const clock = { offsetMs: 0, now: () => plusMs(new Date(), clock.offsetMs) };
  let host: WebHost;
  beforeAll(async () => {
    host = await openWebHost(world, { clock, pages: [...pages, oncePage, onceAction] });
  });
  afterAll(async () => host.close());

  const language = { language: 'fr' };
  const action = '/account/profile/language';

  async function tokenOf(visitor: ReturnType<WebHost['visitor']>): Promise<string> {
    const [form] = formsOf((await visitor.get('/account/profile')).text);
    return form?.hidden._csrf ?? '';
  }

  test('given every page, when it is answered, then each form that posts has exactly one token', async () => {
    const visitor = await host.signedIn({ isAdmin: true });
    for (const path of ['/account', '/account/api-keys', '/account/profile', '/once']) {
      const { text } = await visitor.get(path);
      const forms = formsOf(text);
      expect(forms.length).toBeGreaterThan(0);
      expect(text.match(/<form\b/g)).toHaveLength(forms.length);
      for (const form of forms) expect([path, form.text.match(/name="_csrf"/g)?.length]).toEqual([path, 1]);
    }
  });

  test('given a token that is missing, empty, invented or of somebody else, when a form is posted, then 403', async () => {
    const visitor = await host.signedIn();
    const stranger = await host.signedIn();
    for (const fields of [{}, { _csrf: '' }, { _csrf: 'a'.repeat(43) }, { _csrf: await tokenOf(stranger) }]) {
      const answer = await visitor.post(action, { ...language, ...fields });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('<h1>Please send the form again</h1>');
    }
    expect((await visitor.post(action, { ...language, _csrf: await tokenOf(visitor) })).status).toBe(303);
  });

  test('given a form of before the sign-in, when it is posted after it, then 403', async () => {
    const user = await host.makeUser();
    const visitor = host.visitor();
    const [before] = formsOf((await visitor.get('/sign-in')).text);
    await visitor.signIn(user);
    expect((await visitor.post(action, { ...language, ...before?.hidden })).status).toBe(403);
  });

  test('given a post from another site, when its token is right all the same, then 403', async () => {
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

  test('given a form that is good for one post, when it is posted twice, by another visitor or an hour later, then 403', async () => {
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

  test('given a page whose form leads to an application, when it is answered, then the policy names that origin and no other', async () => {
    const visitor = host.visitor();
    const policy = (await visitor.get('/once')).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://app.example.com;");
    expect((await visitor.get('/sign-in')).headers.get('content-security-policy')).toContain("form-action 'self';");
    expect(policy).not.toContain('unsafe-inline');
  });

  test('given a body that is no form, when it is posted, then it is refused before anything else is looked at', async () => {
    const visitor = await host.signedIn();
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const post = (body: string, contentType: string) =>
      fetch(host.url + action, { method: 'POST', body, headers: { cookie, 'content-type': contentType } });
    expect((await post('{}', 'application/json')).status).toBe(415);
    expect((await post('x', 'multipart/form-data; boundary=x')).status).toBe(415);
    expect((await post(`language=${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await fetch(host.url + action, { method: 'DELETE' })).headers.get('allow')).toBe('POST');
  });
});
