// Level: ci
import { Bulk } from '#common/bulk/model/bulk.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { aList } from '../support/bulk/a-bulk.ts';
import { describe, expect } from '../support/jest.ts';
import { aPdf } from '../support/product/customer.ts';
import { findBarriers, sidewaysOverflow, signInAt, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { takePicture } from '../support/web/send-browser.ts';
import { startWebHost } from '../support/web/web-host.ts';

const manners = [
  { what: 'without JavaScript', options: { javaScriptEnabled: false } },
  { what: 'with the keyboard on a narrow screen', options: { viewport: { width: 360, height: 800 } } },
];

describe('sending a list from the browser', () => {
  const { world, host } = startWebHost({ hasWorkers: true });
  const openPage = useBrowser();

  testInBrowser.each(manners)('a list is uploaded, checked, confirmed and sent $what', async ({ options }) => {
    const customer = await world.customer();
    const user = await host.makeUser({ organizationId: customer.organizationId });
    const { page, troubles, close } = await openPage(host.url, options);
    await signInAt(page, `${host.url}/en/sign-in`, user);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${host.url}/en/account/bulk/new`);
    const list = aList(3, (row) => (row === 2 ? { zip: '99' } : {}));
    await page.getByLabel('List of recipients').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: list });
    const document = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: await aPdf(1) };
    await page.getByLabel('Document').setInputFiles(document);
    await page.getByRole('button', { name: 'Check the list' }).focus();
    await page.keyboard.press('Enter');
    // The page reloads by itself until the rows are checked.
    const send = page.getByRole('button', { name: /^Send 2 letters without faults for/ });
    await send.waitFor();
    await page.getByText('A Belgian postal code has four digits').first().waitFor();
    const picture = page.waitForResponse(/\/rows\/2\/pages\/1$/);
    await page.getByRole('link', { name: 'See every row' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Row 2' }).waitFor();
    expect((await picture).status()).toBe(200);
    await takePicture(page, 'bulk-row');
    await page.getByRole('link', { name: 'Next row (3)' }).press('Enter');
    await page.getByText('This row is not sent until it is corrected').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).press('Enter');
    await send.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Letters created: 2 of 2.').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('2');
    expect(await MailJob.countDocuments({ organizationId: customer.organizationId })).toBe(2);
    if (!('javaScriptEnabled' in options)) {
      expect(await findBarriers(page)).toEqual([]);
      expect(await sidewaysOverflow(page)).toBe(0);
    }
    expect(troubles).toEqual([]);
    await close();
  });

  testInBrowser('an upload shows its progress, is sent once, and a lost connection keeps the form', async () => {
    const { organizationId } = await world.customer();
    const user = await host.makeUser({ organizationId });
    const { page, close, troubles } = await openPage(host.url, { viewport: { width: 360, height: 800 } });
    await signInAt(page, `${host.url}/en/sign-in`, user);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${host.url}/en/account/bulk/new`);
    const submit = page.getByRole('button', { name: 'Check the list' });
    const list = page.getByLabel('List of recipients');
    await list.setInputFiles({ name: 'list.exe', mimeType: 'text/csv', buffer: aList(3) });
    await submit.click();
    await page.locator('.error').filter({ hasText: 'not accepted' }).waitFor();
    expect(await page.getByRole('status').textContent()).not.toContain('Saved');

    await list.setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: aList(3) });
    const document = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: await aPdf(1) };
    await page.getByLabel('Document').setInputFiles(document);
    await page.context().setOffline(true);
    await submit.click();
    await page.locator('.unsent').filter({ hasText: 'This was not saved.' }).waitFor();
    await page.context().setOffline(false);

    const released = Promise.withResolvers<void>();
    let posts = 0;
    await page.route('**/bulk/new', async (route) => {
      posts += 1;
      await released.promise;
      await route.continue();
    });
    await submit.click();
    await page.getByRole('progressbar', { name: 'Uploading list.csv, letter.pdf' }).waitFor();
    await submit.click();
    await takePicture(page, 'bulk-uploading-360');
    await page.setViewportSize({ width: 1280, height: 900 });
    await takePicture(page, 'bulk-uploading-1280');
    expect(await findBarriers(page)).toEqual([]);
    released.resolve();
    await page.getByRole('heading', { level: 1, name: 'list.csv' }).waitFor();
    expect(posts).toBe(1);
    expect(await Bulk.countDocuments({ organizationId })).toBe(1);
    // The browser reports the request without a connection and the refused form.
    expect(troubles.filter((each) => !/ERR_INTERNET_DISCONNECTED|400/.test(each))).toEqual([]);
    await close();
  });
});
