// Level: ci
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { languages } from '#common/languages.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { textPdf } from '../support/documents/build-pdf.ts';
import { describe, eventually, expect } from '../support/jest.ts';
import { aPostalAddress } from '../support/product/customer.ts';
import { aDraftOf } from '../support/web/draft-scene.ts';
import {
  findBarriers,
  languagesInTurn,
  sidewaysOverflow,
  tabTo,
  testInBrowser,
  useBrowser,
} from '../support/web/open-browser.ts';
import { openSendBrowser } from '../support/web/send-browser.ts';
import { startWebHost } from '../support/web/web-host.ts';

const ada = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles' };
const pasted = 'Zoë Müller\nMeir 12 bus 3\nB-2000 Antwerpen\n\nJan Janssens\nKouter 1, 9000 Gent';

describe('sending a letter in a browser', () => {
  const { world, host } = startWebHost({ hasWorkers: true });
  const openPage = useBrowser();

  async function open(options: BrowserContextOptions = {}) {
    const customer = await world.customer({ mode: 'live', balanceCents: 2_500 });
    const user = await host.makeUser({ organizationId: customer.organizationId });
    const opened = await openPage(host.url, { reducedMotion: 'reduce', ...options });
    return { customer, ...(await openSendBrowser(host, opened, user)) };
  }

  const letter = async (name: string, text = 'Dear reader') => ({ name, bytes: Buffer.from(await textPdf([text])) });

  testInBrowser('a letter goes from files to its timeline, and a reload in between loses nothing', async () => {
    const { page, troubles, close, openSendPage, addFiles, typeAddress, keepPicture } = await open();
    await openSendPage();
    await keepPicture('send-1-new');
    expect(await page.getByRole('button', { name: 'Real letter' }).getAttribute('aria-pressed')).toBe('true');
    await addFiles([
      { name: 'a.txt', bytes: Buffer.from('x') },
      await letter('invoice.pdf'),
      await letter('terms.pdf'),
    ]);
    await page.getByRole('button', { name: 'Remove terms.pdf' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'a.txt' }).waitFor();
    await page.getByRole('img', { name: 'Page 1 as it is printed' }).waitFor();
    await keepPicture('send-2-files');
    await page.getByRole('button', { name: 'Move terms.pdf up' }).click();
    await page.locator('.send-files li').first().filter({ hasText: 'terms.pdf' }).waitFor();

    await typeAddress(ada);
    await page.getByText('Save this address for next time').click();
    await page.getByRole('button', { name: 'Add recipient' }).click();
    await recipientsOf(page).filter({ hasText: 'Ada Peeters' }).waitFor();
    await page.getByText('Paste addresses').click();
    await page.getByLabel('Addresses, as on the envelope').fill(pasted);
    await page.getByRole('button', { name: 'Read addresses' }).click();
    await page.getByRole('heading', { name: 'Is this right? Address 1 of 2' }).waitFor();
    await keepPicture('send-3-pasted');
    await page.getByRole('button', { name: 'Add all 2 as they are' }).click();
    await recipientsOf(page).filter({ hasText: 'Jan Janssens' }).waitFor();

    await page.reload();
    await page.getByText('Registered', { exact: true }).click();
    await page.getByText('Colour', { exact: true }).click();
    await page.getByText('Your balance is too low.').waitFor();
    await keepPicture('send-4-short');
    await page.getByText('Standard', { exact: true }).click();
    const send = page.getByRole('button', { name: /^Send 3 letters for €/ });
    await send.waitFor();
    expect(await page.getByText('Needs attention').count()).toBe(0);
    await keepPicture('send-5-ready');
    expect(await findBarriers(page)).toEqual([]);
    await send.click();
    await page.getByRole('status').filter({ hasText: 'Letter sent.' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Letter terms.pdf' }).waitFor();
    await keepPicture('send-6-sent');
    const job = await MailJob.findOne({ 'items.name': 'Jan Janssens' }).orFail().lean();
    expect(job.files.map(({ filename }) => filename)).toEqual(['terms.pdf', 'invoice.pdf']);
    expect(page.url()).toContain(job._id);
    expect(troubles).toEqual([]);
    await close();
  });

  // A test for each language: all states in all languages take longer than a test may.
  for (const language of languages) {
    const title = `every state of the page is accessible in ${language}, light and dark, at 360 px and wide`;
    testInBrowser(title, async () => {
      const { page, troubles, close, user, openSendPage, keepPicture } = await open();
      const owner = { organizationId: user.organizationId, mode: 'live' } as const;
      const entry = {
        kind: 'RECIPIENT',
        ...aPostalAddress({ name: 'Maison communale de Woluwe-Saint-Lambert' }),
      } as const;
      await createAddress(owner, entry, new Date());
      await createAddress(owner, { ...entry, kind: 'SENDER', label: 'Head office' }, new Date());
      const ready = Object.entries(await aDraftOf(world, { ...owner, userId: user.userId }));
      for (const [index, [name, path]] of ready.entries()) {
        if (!languagesInTurn(index).includes(language)) continue;
        await openSendPage(language, path);
        if (path !== '') await page.locator('.in-envelope, .template-fields').first().waitFor();
        await page.locator(name === 'mixed' ? '#way-paste summary' : '#way-book summary').click();
        const isLight = (Math.floor(index / languages.length) + languages.indexOf(language)) % 2 === 0;
        await page.emulateMedia({ colorScheme: isLight ? 'light' : 'dark' });
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          expect([language, name, width, await sidewaysOverflow(page)]).toEqual([language, name, width, 0]);
          await keepPicture(`send-${name}-${language}-${width}`);
        }
        expect(await findBarriers(page)).toEqual([]);
      }
      expect(troubles).toEqual([]);
      await close();
    });
  }

  testInBrowser('a letter is filled in from a template, and faults are beside their fields', async () => {
    const { page, troubles, close, openSendPage, typeAddress, user, keepPicture } = await open();
    const owner = { organizationId: user.organizationId, mode: 'live' } as const;
    const text = 'Dear ((first name)),\n\nPlease pay ((amount)).';
    await createTemplate(owner, { name: 'Reminder', language: 'en', text }, new Date());
    await openSendPage();
    await page.getByLabel('Template', { exact: true }).selectOption('Reminder');
    await page.getByRole('button', { name: 'Use this template' }).click();
    await page.getByLabel('first name').fill('漢');
    await page.getByRole('button', { name: 'Make the letter' }).click();
    await page.getByText('Correct the 2 marked fields.').waitFor();
    expect(await page.getByLabel('first name').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('first name').fill('Zoë');
    await page.getByLabel('amount').fill('12 EUR');
    await page.getByRole('button', { name: 'Make the letter' }).click();
    await page.getByRole('img', { name: 'Page 1 as it is printed' }).waitFor();
    await typeAddress(ada);
    await page.getByRole('button', { name: 'Add recipient' }).click();
    const send = page.getByRole('button', { name: /^Send 1 letter for €/ });
    await send.waitFor();
    await keepPicture('send-7-template');
    await send.click();
    await page.getByRole('heading', { level: 1, name: 'Letter Reminder.pdf' }).waitFor();
    expect(troubles).toEqual([]);
    await close();
  });

  testInBrowser('a letter can be sent with the keyboard alone', async () => {
    const { page, troubles, close, openSendPage, addFiles, user } = await open();
    await openSendPage();
    await tabTo(page, 'Choose files');
    // The dialog of the browser is outside of the page.
    await addFiles([await letter('invoice.pdf')]);
    await page.getByRole('img', { name: 'Page 1 as it is printed' }).waitFor();
    await tabTo(page, 'Name');
    for (const text of [ada.name, ada.line1, '', ada.zip, ada.city]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('Bel');
    await tabTo(page, 'Add recipient');
    await page.keyboard.press('Enter');
    await recipientsOf(page).filter({ hasText: ada.name }).waitFor();
    await tabTo(page, 'Standard');
    await page.keyboard.press('ArrowDown');
    await page.getByText('Priority, Black and white').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('send-service-prior');
    const label = (await page.getByRole('button', { name: /^Send 1 letter for €/ }).textContent()) ?? '';
    await tabTo(page, label);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Letter sent.' }).waitFor();
    expect(await MailJob.countDocuments({ organizationId: user.organizationId })).toBe(1);
    expect(troubles).toEqual([]);
    await close();
  });

  testInBrowser('without JavaScript the same page sends the letter', async () => {
    const { page, troubles, close, openSendPage, addFiles, typeAddress, keepPicture } = await open({
      javaScriptEnabled: false,
    });
    await openSendPage();
    await addFiles([await letter('invoice.pdf'), await letter('terms.pdf')]);
    await page.getByRole('button', { name: 'Add files' }).click();
    await page.getByRole('button', { name: 'Move terms.pdf up' }).click();
    await typeAddress(ada);
    await page.getByRole('button', { name: 'Add recipient' }).click();
    await page.getByText('Priority', { exact: true }).click();
    await page.getByRole('button', { name: 'Save and update prices' }).click();
    await keepPicture('send-no-script');
    const send = page.getByRole('button', { name: /^Send 1 letter for €/ });
    await eventually(async () => {
      if ((await send.count()) === 0) await page.reload();
      expect(await send.count()).toBe(1);
    });
    await send.click();
    await page.getByRole('status').filter({ hasText: 'Letter sent.' }).waitFor();
    expect(troubles).toEqual([]);
    await close();
  });

  testInBrowser('dropped files are uploaded, and what is typed elsewhere stays', async () => {
    const { page, close, openSendPage, typeAddress } = await open();
    await openSendPage();
    await typeAddress({ name: 'Half an addr' });
    const pdf = (await letter('x')).bytes.toString('base64');
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob('${pdf}'), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      for (const name of ['one.pdf', 'two.pdf']) dataTransfer.items.add(new File([bytes], name));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('[data-drop]').dispatchEvent(drop);
    }`);
    await page.getByRole('button', { name: 'Remove two.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Remove one.pdf' }).click();
    await page.getByRole('button', { name: 'Remove one.pdf' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half an addr');
    await close();
  });

  testInBrowser('a lost connection is said at the form, which keeps its values and works again', async () => {
    const { page, close, openSendPage, typeAddress } = await open();
    await openSendPage();
    await typeAddress(ada);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Add recipient' }).click();
    await page.locator('.unsent').filter({ hasText: 'This was not saved.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Add recipient' }).click();
    await recipientsOf(page).filter({ hasText: ada.name }).waitFor();
    await close();
  });
});

const recipientsOf = (page: Page) =>
  page.getByRole('list', { name: 'Recipients of this letter' }).getByRole('listitem');
