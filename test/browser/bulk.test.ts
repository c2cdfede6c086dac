import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { aList } from '../support/bulk/a-bulk.ts';
import { describe, expect } from '../support/jest.ts';
import { aPdf } from '../support/product/customer.ts';
import { findBarriers, sidewaysOverflow, signInAt, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { startWebHost } from '../support/web/web-host.ts';

const manners = [
  { what: 'without JavaScript', options: { javaScriptEnabled: false } },
  { what: 'with the keyboard on a narrow screen', options: { viewport: { width: 360, height: 800 } } },
];

describe('sending a list from the browser', () => {
  const { world, host } = startWebHost({ hasWorkers: true });
  const openPage = useBrowser();

  testInBrowser.each(manners)(
    'a list is uploaded, checked, confirmed and sent $what',
    async ({ options }) => {
      const customer = await world.customer();
      const user = await host.makeUser({ organizationId: customer.organizationId });
      const { page, troubles, close } = await openPage(host.url, options);
      await signInAt(page, `${host.url}/en/sign-in`, user);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await page.goto(`${host.url}/en/account/bulk/new`);
      const list = aList(3, (row) => (row === 2 ? { zip: '99' } : {}));
      await page
        .getByLabel('List of recipients')
        .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: list });
      const document = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: await aPdf(1) };
      await page.getByLabel('Document').setInputFiles(document);
      await page.getByRole('button', { name: 'Check the list' }).focus();
      await page.keyboard.press('Enter');
      // The page reloads by itself until the rows are checked.
      const send = page.getByRole('button', { name: /^Send 2 letters without faults for/ });
      await send.waitFor({ timeout: 30_000 });
      await page.getByText('A Belgian postal code has four digits').first().waitFor();
      await send.focus();
      await page.keyboard.press('Enter');
      await page.getByText('2 of 2 letters are created.').waitFor({ timeout: 30_000 });
      expect(await page.getByRole('progressbar').getAttribute('value')).toBe('2');
      expect(await MailJob.countDocuments({ organizationId: customer.organizationId })).toBe(2);
      if (!('javaScriptEnabled' in options)) {
        expect(await findBarriers(page)).toEqual([]);
        expect(await sidewaysOverflow(page)).toBe(0);
      }
      expect(troubles).toEqual([]);
      await close();
    },
    90_000,
  );
});
