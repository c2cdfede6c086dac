import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type Language, languages } from '#common/languages.ts';
import { afterAll, beforeAll, byLevel, guardMs, testWithTool } from '../jest.ts';

const executablePath = '/usr/bin/chromium';
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const testInBrowser = testWithTool('Chromium', existsSync(executablePath));

/** Shares one browser in a test file. Each page has a new context and collects its errors. */
export function useBrowser(): (url: string, options?: BrowserContextOptions) => Promise<OpenedPage> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (existsSync(executablePath)) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (url, options = {}) => {
    const context = await browser!.newContext(options);
    // Playwright's own limit of 30 s would be a bound of speed.
    context.setDefaultTimeout(guardMs);
    context.setDefaultNavigationTimeout(guardMs);
    const page = await context.newPage();
    return { page, troubles: watch(page, url), close: () => context.close() };
  };
}

/** Returns the languages in which to show the page or state with this number: by turns one, in long runs all. */
export function languagesInTurn(index: number): readonly Language[] {
  const one = [languages[index % languages.length] ?? 'en'];
  return byLevel<readonly Language[]>({ quick: one, full: one, long: languages });
}

export type OpenedPage = { page: Page; troubles: string[]; close(): Promise<void> };

/** Opens an English page that requires an account, and signs in. */
export async function signInAt(page: Page, url: string, user: { email: string; password: string }): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Email address').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.keyboard.press('Enter');
}

/** Collects console, script and network errors, and requests to other hosts. */
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

/** Returns the violations that axe finds (WCAG 2.2 AA and best practices), one per line. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated, because the policy of our pages blocks inline script elements.
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

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const nameOfFocus = `(() => {
    const { activeElement: it } = document;
    const text = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent;
    return text.replaceAll(/\\s+/g, ' ').trim();
  })()`;
  const maxStops = 120;
  for (let stop = 0; stop < maxStops; stop += 1) {
    if ((await page.evaluate(nameOfFocus)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No element named "${name}" is reachable with the keyboard`);
}

/** Returns how many pixels a page, with its styles, is wider than its window. 0 means no horizontal scrolling. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  await page.waitForLoadState();
  return await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
