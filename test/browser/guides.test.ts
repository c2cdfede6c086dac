// Level: ci
import { describe, expect } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { findBarriers, sidewaysOverflow, testInBrowser, useBrowser } from '../support/web/open-browser.ts';

const paths = [
  '/docs/guides',
  '/docs/guides?q=signature',
  '/docs/guides/sending',
  '/docs/guides/errors',
  '/docs/errors/RATE_LIMITED',
];
const otherGuides = ['conventions', 'webhooks', 'wallet', 'oauth', 'limits', 'account', 'decisions', 'changelog'];
const screens = [
  { viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
  { viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
] as const;

describe('the guides in a browser', () => {
  const world = startWorld({ hasTariffs: false });
  const open = useBrowser();

  for (const screen of screens) {
    const width = screen.viewport.width;

    for (const path of paths) {
      testInBrowser(`${path} has no barriers, ${screen.colorScheme} and ${width} px wide`, async () => {
        const { page, troubles, close } = await open(world.url, screen);
        await page.goto(world.url + path);
        expect([await sidewaysOverflow(page), await findBarriers(page), troubles]).toEqual([0, [], []]);
        await close();
      });
    }

    testInBrowser(`no other guide is wider than ${width} px`, async () => {
      const { page, troubles, close } = await open(world.url, screen);
      for (const name of otherGuides) {
        await page.goto(`${world.url}/docs/guides/${name}`);
        expect([name, await sidewaysOverflow(page), troubles]).toEqual([name, 0, []]);
      }
      await close();
    });
  }

  testInBrowser('menu, anchors and search work without JavaScript', async () => {
    const { page, close } = await open(world.url, { viewport: { width: 390, height: 800 }, javaScriptEnabled: false });
    await page.goto(`${world.url}/docs/guides/webhooks`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Verifying webhook signatures' }).first().click();
    expect(page.url()).toBe(`${world.url}/docs/guides/webhooks#verifying-webhook-signatures`);

    await page.goto(`${world.url}/docs/guides`);
    await page.getByRole('searchbox').fill('opaque text');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Ids' }).click();
    expect(page.url()).toBe(`${world.url}/docs/guides/conventions#ids`);
    await close();
  });
});
