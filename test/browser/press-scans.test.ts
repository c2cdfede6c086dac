// Level: ci
import type { Page } from 'playwright-core';
import { toMarkText } from '#common/documents/addressing/sheet-mark.ts';
import { beforeEach, describe, expect } from '../support/jest.ts';
import { s10Of } from '../support/production/s10-of.ts';
import { signInAt, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { bandColour, devices, hearSound, look, typeScan, viewports } from '../support/web/press-browser.ts';
import { startPressHost, threeRecipients } from '../support/web/press-host.ts';

describe('an operator with registered letters and returns, in a browser', () => {
  const { admin, host, scene, beginDay, allAtPress } = startPressHost();
  const openPage = useBrowser();
  beforeEach(beginDay);

  const band = async (page: Page) => [await bandColour(page), await page.locator('.band-title').textContent()];

  testInBrowser.each(devices)('labels and returns are scanned one after the other: %s', async (device) => {
    const fields = { ...threeRecipients, serviceType: 'registered', acknowledgmentReceipt: true };
    const [{ _id, items, batchId }] = await allAtPress(fields);
    const [first, second] = items.map(({ itemId }) => itemId) as [string, string];
    const serial = device === 'phone' ? 100 : 200;
    const [one, two] = [s10Of(serial), s10Of(serial + 1)];
    const { page, troubles, close } = await openPage(host.url, { viewport: viewports[device] });
    await signInAt(page, `${host.url}/en/admin/press/${batchId}`, admin.user);
    await page.getByRole('link', { name: 'Scan its labels' }).click();
    await page.getByRole('heading', { level: 1, name: 'Scan labels' }).waitFor();
    await typeScan(page, toMarkText(first, 1, 2));
    await page.reload();
    expect(await band(page)).toEqual(['next', 'Now scan its label']);
    await look(page, 'labels-waiting');
    await typeScan(page, one);
    expect(await band(page)).toEqual(['success', 'Label recorded']);
    await typeScan(page, toMarkText(first, 1, 2));
    expect(await band(page)).toEqual(['warning', 'It has a label already']);
    await typeScan(page, toMarkText(second, 1, 2));
    expect(await band(page)).toEqual(['next', 'Now scan its label']);
    await typeScan(page, one);
    expect(await band(page)).toEqual(['danger', 'Wrong scan']);
    await hearSound(page);
    await look(page, 'labels-wrong');
    await typeScan(page, two);
    expect((await scene.read(_id)).items.map(({ tracking }) => tracking?.number)).toEqual([one, two, undefined]);

    await page.getByRole('link', { name: 'Printed' }).click();
    await typeScan(page, second);
    await page.goto(`${host.url}/en/admin/press/receipts`);
    await page.getByText(two).waitFor();
    await look(page, 'receipts');

    await page.goto(`${host.url}/en/admin/press/scan?mark=posted`);
    await typeScan(page, first);
    await page.getByRole('link', { name: 'Returned' }).click();
    await page.getByRole('heading', { level: 1, name: 'Scan returns' }).waitFor();
    await look(page, 'returns-reasons');
    await page.getByRole('link', { name: 'Not collected' }).click();
    await page.locator('.band', { hasText: 'not collected' }).waitFor();
    await typeScan(page, toMarkText(first, 2, 2));
    expect(await band(page)).toEqual(['success', 'Returned']);
    await typeScan(page, second);
    expect(await band(page)).toEqual(['danger', 'Wrong scan']);
    expect((await scene.read(_id)).items.map(({ returned }) => returned?.reason)).toEqual([
      'unclaimed',
      undefined,
      undefined,
    ]);
    await page.goto(`${host.url}/en/admin/press/items/${second}`);
    await page.getByLabel('Number on its new label').waitFor();
    await look(page, 'item-labelled');
    expect(troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
    await close();
  });
});
