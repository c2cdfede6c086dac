import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { byLevel, expect } from '../jest.ts';
import { findBarriers, sidewaysOverflow } from './open-browser.ts';

/** `SCREENSHOTS=folder` saves each page that the operator sees. */
const screenshotFolder = process.env.SCREENSHOTS;
export const viewports = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** `all-pages` looks at every page at three widths, at the quick level too. */
export const devices = byLevel<(keyof typeof viewports)[]>({
  quick: ['phone'],
  full: ['phone'],
  long: ['desktop', 'phone'],
});

/** Checks that a page fits its window and is accessible. */
export async function look(page: Page, name: string): Promise<void> {
  expect([name, await sidewaysOverflow(page)]).toEqual([name, 0]);
  expect(await findBarriers(page)).toEqual([]);
  if (screenshotFolder === undefined) return;
  await mkdir(screenshotFolder, { recursive: true });
  const device = page.viewportSize()?.width === viewports.phone.width ? 'phone' : 'desktop';
  await page.screenshot({ path: join(screenshotFolder, `press-${name}-${device}.png`), fullPage: true });
}

/** Does what a scanner does: it types fast, and presses Enter. Nothing else is touched between two scans. */
export async function typeScan(page: Page, code: string): Promise<void> {
  await page.locator('#scan-code:focus').waitFor();
  await page.keyboard.type(code);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

/** Returns the colour of the band of a page of scans. */
export async function bandColour(page: Page): Promise<string | undefined> {
  return (await page.locator('.band').getAttribute('class'))?.replace('band ', '');
}

/** Waits until the sound of a wrong scan has begun to play. */
export async function hearSound(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const sound = document.querySelector('audio');
    const listen = () =>
      sound.played.length > 0 ? done() : sound.addEventListener('timeupdate', listen, { once: true });
    listen();
  })`);
}
