import type { Browser } from 'playwright-core';
import { queueNames } from '#common/platform/redis/queues.ts';
import { afterAll, beforeAll, describe, expect } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { launchBrowser, testInBrowser } from '../support/web/open-browser.ts';
import { openWebHost, type WebHost } from '../support/web/web-host.ts';

describe('the pages of the web host in a browser', () => {
  const world = startWorld();
  let host: WebHost;
  let browser: Browser | undefined;

  beforeAll(async () => {
    host = await openWebHost(world);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await host.close();
  });

  /** Opens a page with a new browser context and collects its errors. */
  async function openPage() {
    const context = await browser!.newContext();
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && troubles.push(line.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(host.url) || request.url().startsWith('data:');
      if (!isOurs) troubles.push(`asks ${request.url()}`);
    });
    page.on(
      'response',
      (response) => response.status() >= 400 && troubles.push(`${response.status()} ${response.url()}`),
    );
    return { page, troubles };
  }

  testInBrowser('the board shows queues and messages without requests to other hosts', async () => {
    await host.hints.add(
      Array.from({ length: 12 }, (_, number) => ({ queue: 'render' as const, id: `mj_${number}`, delayMs: 600_000 })),
    );
    const { email, password } = await host.makeUser({ isAdmin: true });
    const { page, troubles } = await openPage();
    await page.goto(`${host.url}/admin/queues`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    for (const name of queueNames) await page.getByText(name, { exact: true }).first().waitFor({ timeout: 10_000 });
    await page.goto(`${host.url}/admin/queues/queue/render?status=delayed`);
    await page.getByText('mj_11-').first().waitFor({ timeout: 10_000 });
    expect(await page.getByRole('button', { name: /pause|empty|obliterate|promote/i }).count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  testInBrowser('the home page is styled and loads without errors', async () => {
    const { page, troubles } = await openPage();
    await page.goto(host.url);
    const width = await page.locator('main').evaluate((main) => main.getBoundingClientRect().width);
    expect(width).toBeLessThan(1_100);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});
