// Level: ci
import { toMarkText } from '#common/documents/addressing/sheet-mark.ts';
import { beforeEach, describe, expect } from '../support/jest.ts';
import { aRequestAddress } from '../support/product/customer.ts';
import { signInAt, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { bandColour, devices, hearSound, look, typeScan, viewports } from '../support/web/press-browser.ts';
import { startPressHost, threeRecipients } from '../support/web/press-host.ts';

describe('an operator at a printer, in a browser', () => {
  const { admin, host, scene, press, beginDay, inDoubt, stateOf, statusesOf } = startPressHost();
  const openPage = useBrowser();
  beforeEach(beginDay);

  testInBrowser.each(devices)(
    'a batch is scanned item by item, with a colour and a sound for a wrong scan: %s',
    async (device) => {
      const other = await scene.sendRendered({ color: true });
      const { _id } = await scene.sendRendered(threeRecipients, 5);
      await scene.bringToPress(other._id);
      const { items, batchId } = await scene.bringToPress(_id);
      const { page, troubles, close } = await openPage(host.url, { viewport: viewports[device] });
      await signInAt(page, `${host.url}/en/admin/press`, admin.user);
      await page.getByRole('heading', { level: 1, name: 'Print production' }).waitFor();
      await look(page, 'list');
      await page.goto(`${host.url}/en/admin/press/${batchId}`);
      await look(page, 'batch');
      await page.getByRole('link', { name: 'Scan its items' }).click();
      await page.locator('.band.waiting').waitFor();
      await look(page, 'scan-ready');
      const [first, second, third] = items.map(({ itemId }) => itemId) as [string, string, string];
      await typeScan(page, toMarkText(first, 1, 3));
      expect(await bandColour(page)).toBe('success');
      await look(page, 'scan-recorded');
      await typeScan(page, toMarkText(first, 2, 3));
      expect(await bandColour(page)).toBe('warning');
      await look(page, 'scan-already');
      expect(troubles).toEqual([]);
      await typeScan(page, toMarkText(other.items[0]?.itemId ?? '', 1, 1));
      expect(await bandColour(page)).toBe('danger');
      await hearSound(page);
      await look(page, 'scan-wrong');
      for (const id of [second, third]) await typeScan(page, toMarkText(id, 1, 3));
      expect([await bandColour(page), await stateOf(batchId)]).toEqual(['success', 'printed']);
      expect(await statusesOf(_id)).toEqual(['printed', 'printed', 'printed']);

      await page.goto(`${host.url}/en/admin/press/${batchId}`);
      await page.getByRole('link', { name: 'Handed in at the post office' }).click();
      await page.getByRole('button', { name: 'Yes, it was handed in' }).waitFor();
      await look(page, 'confirm-posted');
      // The page reloads every 2 s: not while it is looked at.
      const isSeen = Promise.withResolvers<void>();
      const reload = ({ pathname }: URL) => pathname === `/en/admin/press/${batchId}`;
      await page.route(reload, async (route) => {
        if (route.request().method() === 'GET') await isSeen.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Yes, it was handed in' }).click();
      await page.getByText('Change saved.').waitFor();
      await look(page, 'batch-marking');
      await scene.runBatches();
      isSeen.resolve();
      // The page reloads by itself.
      await page.getByText('There is nothing left to do.').waitFor();
      expect(await stateOf(batchId)).toBe('posted');
      await look(page, 'batch-posted');
      // The browser reports the status 409 of the wrong scan.
      expect(troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
      await close();
    },
  );

  testInBrowser.each(devices)('items fail and are reprinted, and a batch in doubt is decided: %s', async (device) => {
    const { _id: letter } = await scene.sendRendered({ ...threeRecipients, externalId: `invoice-${device}` });
    const france = { zone: 'INTERNATIONAL', recipients: [aRequestAddress({ zip: '75001', country: 'FR' })] };
    const { _id: prior } = await scene.sendRendered({ serviceType: 'prior' });
    const { _id: abroad } = await scene.sendRendered(france);
    const { _id: printed } = await scene.sendRendered({ color: true });
    const doubtful = await inDoubt();
    for (const id of [letter, abroad, printed]) await scene.bringToPress(id);
    const { items, batchId } = await scene.read(letter);
    const printedBatch = (await scene.read(printed)).batchId;
    await admin.send(`/admin/press/${printedBatch}/printed`, `/admin/press/${printedBatch}/printed`, {});
    await scene.runBatches();
    const { page, troubles, close } = await openPage(host.url, { viewport: viewports[device] });
    await signInAt(page, `${host.url}/en/admin/press/items/${items[0]?.itemId}`, admin.user);
    await page.getByRole('heading', { level: 1, name: 'Item' }).waitFor();
    await page.getByLabel('Print it again because').fill('Coffee on it.');
    await page.getByRole('button', { name: 'Record the reprint' }).click();
    await page.getByText('Change saved.').waitFor();
    await look(page, 'item');
    await page.getByLabel('It failed because').fill('The paper tore twice: '.padEnd(255, 'x'));
    await page.getByRole('button', { name: 'Record as failed' }).click();
    await page.getByText('It has failed and is refunded').waitFor();
    await look(page, 'item-failed');
    await page.goto(`${host.url}/en/admin/press/scan?mark=failed&batch=${batchId}`);
    await page.locator('#scan-reason:focus').waitFor();
    await page.keyboard.type('Wrong paper.');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await typeScan(page, items[1]?.itemId ?? '');
    expect(await bandColour(page)).toBe('success');
    await look(page, 'scan-failed');
    await page.goto(`${host.url}/en/admin/press`);
    await look(page, 'list-all');
    await page.getByLabel('Item, external ID or postcode').fill('2000');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'Items found' }).waitFor();
    await look(page, 'search');
    await page.goto(`${host.url}/en/admin/press/${doubtful.batchId}`);
    await look(page, 'batch-in-doubt');
    await page.getByRole('link', { name: 'Print it again' }).click();
    await page.getByRole('button', { name: 'Yes, nothing of it was printed' }).waitFor();
    await look(page, 'confirm-print-again');
    await page.getByRole('button', { name: 'Yes, nothing of it was printed' }).click();
    await page.getByText('Change saved.').waitFor();
    press.settings.isBlind = false;
    await scene.runBatches();
    expect(await stateOf(doubtful.batchId)).toBe('at_press');
    expect(await statusesOf(letter)).toEqual(['failed', 'failed', 'queued']);
    expect(await statusesOf(prior)).toEqual(['queued']);
    expect(troubles).toEqual([]);
    await close();
  });
});
