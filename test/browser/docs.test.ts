// Level: ci
import { routes } from '#api/routes/index.ts';
import { describe, expect } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { testInBrowser, useBrowser } from '../support/web/open-browser.ts';

describe('the documentation in a browser', () => {
  const world = startWorld();
  const openPage = useBrowser();
  const isLarge = { viewport: { width: 1_400, height: 1_000 } };

  testInBrowser('the documentation renders offline without errors', async () => {
    const { page, troubles, close } = await openPage(world.url, isLarge);
    await page.goto(`${world.url}/docs`);
    await page.getByRole('heading', { name: 'Bluejay', level: 1 }).waitFor();
    const menu = page.getByRole('navigation').first();
    for (const group of ['Prices', 'Mail jobs', 'Address book', 'Webhooks', 'Wallet', 'Events']) {
      await menu.getByText(group, { exact: true }).first().waitFor();
    }
    await menu.getByText('Mail jobs', { exact: true }).first().click();
    const { summary } = routes.find(({ operationId }) => operationId === 'createMail')!;
    await menu.getByText(summary).first().click();
    await page.getByText('Idempotency-Key').first().waitFor();
    await page.getByText('invoice-2026-0042').first().waitFor();

    expect(troubles.filter((trouble) => !trouble.startsWith('asks blob:'))).toEqual([]);
    await close();
  });

  testInBrowser('a trial request goes to this host and shows its response', async () => {
    const { page, close } = await openPage(world.url, isLarge);
    await page.goto(`${world.url}/docs`);
    await page
      .getByRole('button', { name: /test request/i })
      .first()
      .click();
    const asked = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Send', exact: false }).last().waitFor();
    await page.keyboard.press('Control+Enter');
    const response = await asked;
    expect([response.url(), response.status()]).toEqual([`${world.url}/v1/quote`, 401]);
    await page.getByText('401').first().waitFor();
    await close();
  });
});
