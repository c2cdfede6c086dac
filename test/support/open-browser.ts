import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, test } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** `test` where there is a browser; elsewhere the test is skipped by its name, and fails under CI. */
export const testInBrowser = existsSync(executablePath) || process.env.CI ? test : test.skip;

/** The browser; none where none is installed. */
export async function launchBrowser(): Promise<Browser | undefined> {
  if (!existsSync(executablePath)) return undefined;
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** One browser for a test file. Each page is that of a fresh visitor, with whatever goes wrong on it. */
export function useBrowser(): (url: string, options?: BrowserContextOptions) => Promise<OpenedPage> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  });
  return async (url, options = {}) => {
    const context = await browser!.newContext(options);
    const page = await context.newPage();
    return { page, troubles: watch(page, url), close: () => context.close() };
  };
}

export type OpenedPage = { page: Page; troubles: string[]; close(): Promise<void> };

/** What a console, a script or the network complains about, and every other host that is asked. */
function watch(page: Page, url: string): string[] {
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
  return troubles;
}

/** What axe finds against WCAG 2.2 AA and good practice, one line a fault. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Not as a script element, which our own policy refuses.
  await page.evaluate(axeSource);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: AxeViolation[] }> } };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

type AxeViolation = { id: string; nodes: { html: string; failureSummary: string }[] };

/** How many pixels a page is wider than its window; 0 when nobody has to scroll sideways. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  return await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
