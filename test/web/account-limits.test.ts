// Level: push
import { randomUUID } from 'node:crypto';
import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { noTexts, pagesWith } from '#api/web/framework/page.ts';
import { pages as allPages } from '#api/web/pages.ts';
import { ApiKey } from '#common/access/api-key.model.ts';
import { createApiKey, revokeApiKey } from '#common/access/api-keys.ts';
import { hashPassword, isPasswordOf } from '#common/organizations/password.ts';
import { describe, expect, openOnce, test } from '../support/jest.ts';
import { startWebHost } from '../support/web/web-host.ts';

const { definePage, defineAction } = pagesWith('user', noTexts);

/** A minimal page with a form. */
const tinyPage = definePage({
  path: '/tiny',
  async show({ visit, sent }) {
    return view({
      title: 'Tiny',
      body: html`<h1>Tiny</h1>${postForm({ visit, sent, action: '/tiny' }, () => html``)}`,
    });
  },
});
const tinyAction = defineAction({
  path: '/tiny',
  form: z.object({}),
  page: tinyPage,
  async run({ visit }) {
    return redirect(visit.href('/tiny'));
  },
});

describe('the limits of the account area', () => {
  const { world, host } = startWebHost({ areLimitsStill: true, pages: [...allPages, tinyPage, tinyAction] });
  const at = new Date('2026-03-01T12:00:00Z');

  describe('pages', () => {
    const visitor = openOnce(() => host.signedIn());
    const statusesOf = async (count: number, ask: () => Promise<{ status: number }>) => {
      const answers = await Promise.all(Array.from({ length: count }, ask));
      return new Set(answers.map(({ status }) => status));
    };

    test('a session can view 240 pages per minute, the next is 429 in each language', async () => {
      expect(await statusesOf(240, () => visitor.get('/en/tiny'))).toEqual(new Set([200]));
      const titles = { en: 'Too many', fr: 'Trop de', nl: 'Te veel', de: 'Zu viele' };
      for (const [language, title] of Object.entries(titles)) {
        const { status, headers, text } = await visitor.get(`/${language}/tiny`);
        expect([status, headers.get('content-language')]).toEqual([429, language]);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(text).toContain(title);
      }
      const elsewhere = host.visitor();
      await elsewhere.signIn(visitor.user);
      expect((await elsewhere.get('/en/tiny')).status).toBe(200);
      expect((await host.visitor().get('/en/sign-in')).status).toBe(200);
    });

    test('a session can submit 60 forms per minute, then gets 429 and can still view pages', async () => {
      const busy = await host.signedIn();
      const token = /name="_csrf" value="([^"]+)"/.exec((await busy.get('/en/tiny')).text)?.[1] ?? '';
      const post = () => busy.post('/en/tiny', { _csrf: token });
      expect(await statusesOf(60, post)).toEqual(new Set([303]));
      const refused = await post();
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect((await busy.get('/en/tiny')).status).toBe(200);
    });
  });

  describe('keys', () => {
    /** In addition to the customer's first key. */
    const fill = async (organizationId: string, count: number) => {
      const key = { organizationId, mode: 'test', scopes: ['read'], secretHash: 'x', createdAt: at } as const;
      await ApiKey.insertMany(Array.from({ length: count }, () => ({ ...key, _id: `test${randomUUID()}` })));
    };
    const live = (organizationId: string) => ApiKey.countDocuments({ organizationId, mode: 'test', revokedAt: null });

    test('of ten keys created at once beside 48, two are created', async () => {
      const { user } = await host.signedIn();
      const { organizationId } = user;
      await fill(organizationId, 47);
      const wanted = { organizationId, mode: 'test', scopes: ['read'] } as const;
      const made = await Promise.allSettled(Array.from({ length: 10 }, () => createApiKey(wanted, at)));
      const refusals = made.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refusals).toHaveLength(8);
      for (const { code, message } of refusals) {
        expect([code, message]).toEqual(['LIMIT_REACHED', expect.stringMatching(/50 .*Revoke/)]);
      }
      expect(await live(organizationId)).toBe(50);
    });

    test('the limit of 50 keys applies per mode and frees up after a revocation', async () => {
      const visitor = await host.signedIn();
      const { organizationId } = visitor.user;
      await fill(organizationId, 49);
      const create = (mode: string, language = 'en') =>
        visitor.send(`/${language}/account/api-keys`, '/account/api-keys', { name: '', mode, scopes: 'read' });
      const messages = { en: '50 keys', fr: '50 clés', nl: '50 sleutels', de: '50 Schlüssel' };
      for (const [language, message] of Object.entries(messages)) {
        const { status, text } = await create('test', language);
        expect([language, status, text.includes(message)]).toEqual([language, 409, true]);
      }
      expect((await create('live')).status).toBe(200);
      const [key] = await ApiKey.find({ organizationId, mode: 'test' }).lean();
      await revokeApiKey(key?._id ?? '', world.revocations, at);
      expect((await create('test')).status).toBe(200);
      expect(await live(organizationId)).toBe(50);
    });
  });

  describe('passwords', () => {
    const right = 'correct horse battery';
    /** As many as may wait of one address. */
    const maxWaiting = 10;
    test('of 100 checks at once from one address 10 wait, and others are answered before them', async () => {
      const hash = await hashPassword(right, '192.0.2.0');
      const order: string[] = [];
      const check = (address: string) =>
        isPasswordOf(hash, right, address).then(
          () => void order.push(address),
          ({ code }: { code: string }) => void order.push(code),
        );
      const greedy = Array.from({ length: 100 }, () => check('192.0.2.1'));
      await Promise.all([...greedy, check('192.0.2.2')]);
      const answered = order.filter((each) => each !== 'RATE_LIMITED');
      // One or two run, by the processors of the machine.
      expect(answered.length - 1 - maxWaiting).toBeGreaterThanOrEqual(1);
      expect(answered.length - 1 - maxWaiting).toBeLessThanOrEqual(2);
      expect(answered.indexOf('192.0.2.2')).toBeGreaterThanOrEqual(0);
      expect(answered.indexOf('192.0.2.2')).toBeLessThanOrEqual(4);
    });
  });
});
