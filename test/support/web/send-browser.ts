import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type OpenedPage, signInAt } from './open-browser.ts';
import type { WebHost, WebUser } from './web-host.ts';

const screenshotFolder = process.env.SCREENSHOTS;

/** The steps of the send page as a person takes them in a browser. */
export type SendBrowser = OpenedPage & {
  user: WebUser;
  openSendPage(language?: string, query?: string): Promise<void>;
  /** Chooses files in the dialog. */
  addFiles(files: readonly { name: string; bytes: Buffer }[]): Promise<void>;
  typeAddress(fields: Partial<Record<'name' | 'line1' | 'zip' | 'city', string>>): Promise<void>;
  keepPicture(name: string): Promise<void>;
};

/** Signs a user in and returns the steps of the send page. */
export async function openSendBrowser(host: WebHost, opened: OpenedPage, user: WebUser): Promise<SendBrowser> {
  const { page } = opened;
  await signInAt(page, `${host.url}/en/account`, user);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  return {
    ...opened,
    user,
    async openSendPage(language = 'en', query = '') {
      await page.goto(`${host.url}/${language}/account/send${query}`);
    },
    async addFiles(files) {
      const chosen = files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes }));
      await page.locator('#send-files').setInputFiles(chosen);
    },
    async typeAddress(fields) {
      const labels = { name: 'Name', line1: 'Street and number', zip: 'Postal code', city: 'Town or city' } as const;
      const form = page.locator('#way-type');
      for (const [name, value] of Object.entries(fields)) {
        await form.getByLabel(labels[name as keyof typeof labels], { exact: true }).fill(value);
      }
    },
    async keepPicture(name) {
      await takePicture(page, name);
    },
  };
}

/** Saves a picture of the page when SCREENSHOTS names a folder. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (screenshotFolder === undefined) return;
  await mkdir(screenshotFolder, { recursive: true });
  await page.screenshot({ path: join(screenshotFolder, `${name}.png`), fullPage: true });
}
