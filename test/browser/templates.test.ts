// Level: ci
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Template } from '#common/templates/template.model.ts';
import { describe, expect } from '../support/jest.ts';
import { findBarriers, sidewaysOverflow, signInAt, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { startWebHost } from '../support/web/web-host.ts';

const screenshotFolder = process.env.SCREENSHOTS;
const letter = `# Reminder of your invoice ((invoice number))

Dear ((name)),

Our records show that the invoices below are still open. Please pay **((amount)) EUR** within 14 days.

| Invoice | Article | Amount |
|---|---|---:|
| 2026-0012 | Bread for September, with cakes for the meeting | 120,00 |
| 2026-0044 | Cake | 12,50 |

- By transfer to our account
- In our shop ((closed??, which is closed in August))

Kind regards,
Papeterie du Parc`;

describe('templates in a browser', () => {
  const { host } = startWebHost({ hasWorkers: true });
  const openPage = useBrowser();

  testInBrowser.each([true, false])(
    'a template is written, previewed and saved with the keyboard alone, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const user = await host.makeUser();
      const { page, troubles, close } = await openPage(host.url, { javaScriptEnabled, reducedMotion: 'reduce' });
      await signInAt(page, `${host.url}/en/account/templates`, user);
      await page.getByRole('link', { name: 'New template' }).press('Enter');
      await page.getByLabel('Name').first().fill('Payment reminder');
      await page.getByLabel('Text of the letter').fill(letter);
      await page.getByRole('button', { name: 'Preview' }).press('Enter');
      await page.getByRole('heading', { level: 2, name: 'Preview' }).waitFor();
      // Without a value, a variable shows as its name.
      await page.getByLabel('invoice number').fill('2026-0012');
      await page.getByLabel('amount').fill('132,50');
      await page.getByRole('button', { name: 'Preview' }).press('Enter');
      const picture = page.getByAltText('Page 1 of the letter');
      await picture.waitFor();
      expect(await page.getByLabel('amount').inputValue()).toBe('132,50');
      expect(await page.getByLabel('Text of the letter').inputValue()).toBe(letter);
      if (javaScriptEnabled) await lookAt(page, 'preview');
      await page.getByRole('button', { name: 'Save template' }).press('Enter');
      await page.getByRole('status').filter({ hasText: 'Template saved.' }).waitFor();
      if (javaScriptEnabled) await lookAt(page, 'template');
      expect(await Template.countDocuments({ organizationId: user.organizationId })).toBe(1);

      await page.getByLabel('Text of the letter').fill('Broken ((name');
      await page.getByRole('button', { name: 'Save template' }).press('Enter');
      await page.getByText('Correct the text').waitFor();
      if (javaScriptEnabled) await lookAt(page, 'faults');
      expect(troubles.filter((trouble) => !trouble.includes('400'))).toEqual([]);
      await close();
    },
  );

  testInBrowser('a letterhead is saved and shown on a letter', async () => {
    const user = await host.makeUser();
    const { page, troubles, close } = await openPage(host.url, { reducedMotion: 'reduce' });
    await signInAt(page, `${host.url}/en/account/templates/letterhead`, user);
    await page.getByLabel('Sender').fill('Papeterie du Parc\nChaussée de Charleroi 12\n1060 Saint-Gilles');
    await page.getByLabel('Footer').fill('Papeterie du Parc SA · BE 0123.456.789 · IBAN BE68 5390 0754 7034');
    await page.getByRole('button', { name: 'Save letterhead' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Letterhead saved.' }).waitFor();
    await page.getByAltText('Page 1 of the letter').waitFor();
    await lookAt(page, 'letterhead');
    expect(troubles).toEqual([]);
    await close();
  });
});

/** Checks a page in light and dark, on wide and narrow screens. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect([name, width, await sidewaysOverflow(page)]).toEqual([name, width, 0]);
      if (screenshotFolder === undefined) continue;
      await mkdir(screenshotFolder, { recursive: true });
      await page.screenshot({ path: join(screenshotFolder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
    expect(await findBarriers(page)).toEqual([]);
  }
}
