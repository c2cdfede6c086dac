import type { Browser } from 'playwright-core';
import { routes } from '#api/routes/index.ts';
import { afterAll, beforeAll, describe, expect } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { launchBrowser, testInBrowser } from '../support/web/open-browser.ts';

describe('the documentation in a browser', () => {
  const world = startWorld();
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  testInBrowser('the documentation renders offline without errors', async () => {
    const page = await browser!.newPage({ viewport: { width: 1_400, height: 1_000 } });
    const troubles: string[] = [];
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && troubles.push(line.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(world.url)) {
        troubles.push(`asks ${request.url()}`);
      }
    });

    await page.goto(`${world.url}/docs`);
    await page.getByRole('heading', { name: 'Bluejay', level: 1 }).waitFor({ timeout: 15_000 });
    const menu = page.getByRole('navigation').first();
    for (const group of ['Prices', 'Mail jobs', 'Address book', 'Webhooks', 'Wallet', 'Events']) {
      await menu.getByText(group, { exact: true }).first().waitFor();
    }
    await menu.getByText('Mail jobs', { exact: true }).first().click();
    const { summary } = routes.find(({ operationId }) => operationId === 'createMail')!;
    await menu.getByText(summary).first().click();
    await page.getByText('Idempotency-Key').first().waitFor();
    await page.getByText('invoice-2026-0042').first().waitFor();

    expect(troubles).toEqual([]);
    await page.close();
  });

  testInBrowser('a trial request goes to this host and shows its response', async () => {
    const page = await browser!.newPage({ viewport: { width: 1_400, height: 1_000 } });
    await page.goto(`${world.url}/docs`);
    await page
      .getByRole('button', { name: /test request/i })
      .first()
      .click({ timeout: 15_000 });
    const asked = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Send', exact: false }).last().waitFor();
    await page.keyboard.press('Control+Enter');
    const response = await asked;
    expect([response.url(), response.status()]).toEqual([`${world.url}/v1/quote`, 401]);
    await page.getByText('401').first().waitFor();
    await page.close();
  });
});
