import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pages } from '../../api/web/pages/index.ts';
import { type Language, languages } from '../../common/languages.ts';
import { aLetter } from '../support/builders.ts';
import { findBarriers, type OpenedPage, sidewaysOverflow, testInBrowser, useBrowser } from '../support/open-browser.ts';
import { pageExamples } from '../support/page-examples.ts';
import { byLevel } from '../support/test-level.ts';
import { openWebHost, type WebHost, type WebUser } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const shown = pages.filter((page) => page.method === 'get' && !('isFile' in page && page.isFile));
/** Colours that fade over would be looked at half-way. */
const isStill = { reducedMotion: 'reduce' } as const;
const widths = [360, 768, 1280];
/** `SCREENSHOTS=folder` keeps a picture of every page at each width, light and dark, in every language. */
const screenshotFolder = process.env.SCREENSHOTS;
const isThorough = screenshotFolder !== undefined;
/** In quick runs each page is opened in one language, another for the next page. */
const languagesOf = (index: number): readonly Language[] =>
  isThorough
    ? languages
    : byLevel<readonly Language[]>({ quick: [languages[index % languages.length] ?? 'en'], full: languages });

describe('every page of the web host in a browser (skipped where there is no /usr/bin/chromium)', () => {
  const world = startWorld();
  const openPage = useBrowser();
  let host: WebHost;
  let admin: WebUser;
  let visitors: Record<'stranger' | 'admin', OpenedPage>;

  beforeAll(async () => {
    host = await openWebHost(world);
    const customer = await world.customer();
    admin = await host.makeUser({ isAdmin: true, organizationId: customer.organizationId });
    for (const externalId of [
      'invoice-2026-0041',
      'invoice-2026-0042',
      'a-reminder-with-quite-a-long-name-of-its-own',
    ]) {
      const { body } = await customer.http.post('/v1/mails', await aLetter(customer, { externalId }));
      if (externalId.endsWith('41')) await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`, { to: 'failed' });
      if (externalId.endsWith('42')) await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`, { to: 'posted' });
    }
  });
  afterAll(async () => host.close());

  testInBrowser('given a browser, when an administrator signs in, then all pages can be opened by him', async () => {
    visitors = { stranger: await openPage(host.url, isStill), admin: await openPage(host.url, isStill) };
    const { page } = visitors.admin;
    await page.goto(`${host.url}/en/sign-in`);
    await page.getByLabel('E-mail address').fill(admin.email);
    await page.getByLabel('Password').fill(admin.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  testInBrowser.each(shown.map(({ path, access }, index) => ({ path, access, index })))(
    'given the page $path, when it is opened light and dark, wide and narrow, then nobody meets a barrier',
    async ({ path, access, index }) => {
      const { page, troubles } = access === 'anyone' ? visitors.stranger : visitors.admin;
      troubles.length = 0;
      const wanted = (await pageExamples[path]?.({ world, user: admin })) ?? path;
      for (const language of languagesOf(index)) {
        const answer = await page.goto(`${host.url}/${language}${wanted === '/' ? '' : wanted}`);
        expect([wanted, answer?.status()]).toEqual([wanted, 200]);
        expect(await page.locator('main').count()).toBe(1);
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect(await tokensPerForm(page)).toEqual([]);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const width of widths) await lookAt(page, { width, name: `${path}-${language}-${colorScheme}` });
          expect(await findBarriers(page)).toEqual([]);
        }
      }
      expect(troubles).toEqual([]);
    },
    60_000,
  );

  async function lookAt(page: Page, { width, name }: { width: number; name: string }): Promise<void> {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await sidewaysOverflow(page)]).toEqual([width, 0]);
    if (screenshotFolder === undefined) return;
    await mkdir(screenshotFolder, { recursive: true });
    const file = `${name.slice(1).replaceAll(/[/:]/g, '_').replace(/^-/, 'home-')}-${width}.png`;
    await page.screenshot({ path: join(screenshotFolder, file), fullPage: true });
  }

  test('given the pages with parameters, when the examples are looked up, then each has one, and none is left over', () => {
    const withParameters = shown.map(({ path }) => path).filter((path) => path.includes(':'));
    expect(withParameters.filter((path) => !(path in pageExamples))).toEqual([]);
    expect(Object.keys(pageExamples).filter((path) => !shown.some((page) => page.path === path))).toEqual([]);
  });
});

/** The posting forms of a page that have none or several tokens. */
async function tokensPerForm(page: Page): Promise<string[]> {
  const forms = page.locator('form[method="post"]');
  const counts = await Promise.all((await forms.all()).map((form) => form.locator('input[name="_csrf"]').count()));
  return counts.filter((count) => count !== 1).map((count) => `${count} tokens`);
}
