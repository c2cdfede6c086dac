// Level: ci
import { queueNames } from '#common/platform/redis/queues.ts';
import { describe, expect } from '../support/jest.ts';
import { signInAt, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { startWebHost } from '../support/web/web-host.ts';

describe('the pages of the web host in a browser', () => {
  const { host } = startWebHost();
  const openPage = useBrowser();

  testInBrowser('the board shows queues and messages without requests to other hosts', async () => {
    await host.hints.add(
      Array.from({ length: 12 }, (_, number) => ({ queue: 'render' as const, id: `mj_${number}`, delayMs: 600_000 })),
    );
    const { page, troubles, close } = await openPage(host.url);
    await signInAt(page, `${host.url}/admin/queues`, await host.makeUser({ isAdmin: true }));
    for (const name of queueNames) await page.getByText(name, { exact: true }).first().waitFor();
    await page.goto(`${host.url}/admin/queues/queue/render?status=delayed`);
    await page.getByText('mj_11-').first().waitFor();
    expect(await page.getByRole('button', { name: /pause|empty|obliterate|promote/i }).count()).toBe(0);
    expect(troubles).toEqual([]);
    await close();
  });

  testInBrowser('the home page is styled and loads without errors', async () => {
    const { page, troubles, close } = await openPage(host.url);
    await page.goto(host.url);
    const width = await page.locator('main').evaluate((main) => main.getBoundingClientRect().width);
    expect(width).toBeLessThan(1_100);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(troubles).toEqual([]);
    await close();
  });
});
