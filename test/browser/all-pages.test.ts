// Level: ci
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pages } from '#api/web/pages.ts';
import { languages } from '#common/languages.ts';
import { beforeAll, describe, expect, test } from '../support/jest.ts';
import {
  findBarriers,
  languagesInTurn,
  type OpenedPage,
  sidewaysOverflow,
  signInAt,
  testInBrowser,
  useBrowser,
} from '../support/web/open-browser.ts';
import { pageExamples } from '../support/web/page-examples.ts';
import { startWebHost, type WebUser } from '../support/web/web-host.ts';

const shown = pages.filter((page) => page.method === 'get' && !('isFile' in page && page.isFile));
/** Disables transitions, which would be measured halfway. */
const isStill = { reducedMotion: 'reduce' } as const;
const widths = [360, 768, 1280];
/** `SCREENSHOTS=folder` saves every page at each width, in light and dark, in every language. */
const screenshotFolder = process.env.SCREENSHOTS;
const isThorough = screenshotFolder !== undefined;
const languagesOf = (index: number) => (isThorough ? languages : languagesInTurn(index));

describe('every page of the web host in a browser', () => {
  const { world, host } = startWebHost();
  const openPage = useBrowser();
  let admin: WebUser;
  let visitors: Record<'stranger' | 'admin', OpenedPage>;

  beforeAll(async () => {
    const customer = await world.customer();
    admin = await host.makeUser({ isAdmin: true, organizationId: customer.organizationId });
    for (const externalId of [
      'invoice-2026-0041',
      'invoice-2026-0042',
      'a-reminder-with-quite-a-long-name-of-its-own',
    ]) {
      const { body } = await customer.send({ externalId });
      if (externalId.endsWith('41')) await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`, { to: 'failed' });
      if (externalId.endsWith('42')) await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`, { to: 'posted' });
    }
  });

  testInBrowser('an administrator can sign in and open all pages', async () => {
    visitors = { stranger: await openPage(host.url, isStill), admin: await openPage(host.url, isStill) };
    const { page } = visitors.admin;
    await signInAt(page, `${host.url}/en/sign-in`, admin);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  testInBrowser.each(shown.map(({ path, access }, index) => ({ path, access, index })))(
    '$path is accessible in light and dark, on wide and narrow screens',
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
  );

  async function lookAt(page: Page, { width, name }: { width: number; name: string }): Promise<void> {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await sidewaysOverflow(page)]).toEqual([width, 0]);
    if (screenshotFolder === undefined) return;
    await mkdir(screenshotFolder, { recursive: true });
    const file = `${name.slice(1).replaceAll(/[/:]/g, '_').replace(/^-/, 'home-')}-${width}.png`;
    await page.screenshot({ path: join(screenshotFolder, file), fullPage: true });
  }

  test('each page with path parameters has exactly one example', () => {
    const withParameters = shown.map(({ path }) => path).filter((path) => path.includes(':'));
    expect(withParameters.filter((path) => !(path in pageExamples))).toEqual([]);
    expect(Object.keys(pageExamples).filter((path) => !shown.some((page) => page.path === path))).toEqual([]);
  });
});

/** Returns a description of each form that does not have exactly one CSRF token. */
async function tokensPerForm(page: Page): Promise<string[]> {
  const forms = page.locator('form[method="post"]');
  const counts = await Promise.all((await forms.all()).map((form) => form.locator('input[name="_csrf"]').count()));
  return counts.filter((count) => count !== 1).map((count) => `${count} tokens`);
}
