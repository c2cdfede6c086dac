import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { createWebApp } from '../../api/web/web-app.ts';
import { systemClock } from '../../common/clock.ts';
import { createUser } from '../../common/organizations/create-user.ts';
import { createGcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { closeServer, listen } from '../../common/platform/metrics.ts';
import { queueNames } from '../../common/platform/queues.ts';
import { startWorld } from '../support/world.ts';

const executablePath = '/usr/bin/chromium';
const testInBrowser = existsSync(executablePath) ? test : test.skip;
const admin = { username: 'admin@example.com', password: 'correct horse battery' };

describe('the pages of the web host in a browser (skipped where there is no /usr/bin/chromium)', () => {
  const world = startWorld();
  let server: Server;
  let browser: Browser | undefined;
  let url: string;

  beforeAll(async () => {
    const { config, hints, log, redis } = world;
    const limiter = createGcraLimiter({ redis, prefix: config.redis.queuePrefix, log });
    server = createServer(createWebApp({ config, hints, limiter, clock: systemClock, log }));
    url = `http://127.0.0.1:${await listen(server, 0)}`;
    const { organizationId } = await world.customer();
    await createUser(
      { organizationId, email: admin.username, password: admin.password, isAdmin: true },
      systemClock.now(),
    );
    if (existsSync(executablePath)) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    await closeServer(server);
  });

  /** A page of a fresh visitor, and whatever goes wrong on it. */
  async function openPage(httpCredentials?: typeof admin) {
    const context = await browser!.newContext({ ...(httpCredentials && { httpCredentials }) });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && troubles.push(line.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(url) || request.url().startsWith('data:');
      if (!isOurs) troubles.push(`asks ${request.url()}`);
    });
    page.on(
      'response',
      (response) => response.status() >= 400 && troubles.push(`${response.status()} ${response.url()}`),
    );
    return { page, troubles };
  }

  testInBrowser(
    'given an administrator, when he opens the board, then queues and messages are shown and no other host is asked',
    async () => {
      await world.hints.add(
        Array.from({ length: 12 }, (_, number) => ({ queue: 'render' as const, id: `mj_${number}`, delayMs: 600_000 })),
      );
      const { page, troubles } = await openPage(admin);
      await page.goto(`${url}/admin/queues`);
      for (const name of queueNames) await page.getByText(name, { exact: true }).first().waitFor({ timeout: 10_000 });
      await page.goto(`${url}/admin/queues/queue/render?status=delayed`);
      await page
        .getByText(/mj_\d/)
        .first()
        .waitFor({ timeout: 5_000 })
        .catch(async (e) => {
          await page.screenshot({ path: '/tmp/board-fail.png' });
          console.log(await page.locator('body').innerText());
          console.log(troubles);
          throw e;
        });
      const screenshot = process.env.BOARD_SCREENSHOT;
      if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
      expect(await page.getByRole('button', { name: /pause|empty|obliterate|promote/i }).count()).toBe(0);
      expect(troubles).toEqual([]);
      await page.context().close();
    },
  );

  testInBrowser('given a visitor, when he opens the start page, then it is styled and nothing goes wrong', async () => {
    const { page, troubles } = await openPage();
    await page.goto(url);
    const width = await page.locator('main').evaluate((main) => main.getBoundingClientRect().width);
    expect(width).toBeLessThan(800);
    const screenshot = process.env.HOME_SCREENSHOT;
    if (screenshot) await page.screenshot({ path: screenshot });
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});
