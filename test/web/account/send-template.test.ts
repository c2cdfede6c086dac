// Level: push
import { createAddress, deleteAddress } from '#common/addresses/change-addresses.ts';
import { Draft } from '#common/drafts/draft.model.ts';
import { findDraft } from '#common/drafts/save-draft.ts';
import type { Language } from '#common/languages.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { TypesetJob } from '#common/templates/typeset-job.model.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { textOf } from '#test/support/documents/typesetting/use-typesetting.ts';
import { byLevel, describe, eventually, expect, test, testWithPrograms } from '#test/support/jest.ts';
import { aPostalAddress } from '#test/support/product/customer.ts';
import { formsOf, startWebHost } from '#test/support/web/web-host.ts';

const path = '/account/send';
const ada = { name: 'Ada Peeters', line1: 'Rue Haute 1', line2: '', zip: '1000', city: 'Bruxelles', country: 'BE' };
const text = 'Dear ((First name)),\n\nPlease pay ((amount)). ((late??It is late.))';
const values = { 'value.firstname': 'Zoë', 'value.amount': '12.50 EUR' };

describe('a letter from a template on the send page', () => {
  const { world, host } = startWebHost({ hasWorkers: true });

  /** A visitor of the send page who has one template. */
  async function visit(content = text) {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const owner = { organizationId, mode: 'test' } as const;
    const template = { name: 'Reminder', language: 'en', text: content } as const;
    const { templateId } = await createTemplate(owner, template, new Date());
    const chosen = await visitor.send(`/en${path}`, `${path}/template`, { template: templateId });
    const page = chosen.location?.split('#')[0] ?? '';
    const draftId = new URL(page, 'http://x').searchParams.get('draft') ?? '';
    const readDraft = async () => await findDraft({ organizationId, draftId }, new Date());
    const uploads = async () => await Upload.find({ organizationId }).lean<UploadRecord[]>();
    return { visitor, page, owner, organizationId, templateId, readDraft, uploads };
  }

  test('its variables are filled in by a form, and the letter that was shown is sent', async () => {
    const { visitor, page, organizationId, templateId, readDraft } = await visit();
    const empty = (await visitor.get(page)).text;
    expect(empty).toContain('href="#files">Fill in the template.</a>');
    expect(empty).not.toContain('Fill this in');
    const filled = await visitor.send(page, `${path}/template/fill`, { ...values, 'value.late': 'yes' });
    expect([filled.status, filled.location]).toEqual([303, `${page}#files`]);
    const [file] = (await readDraft())?.files ?? [];
    expect(file).toMatchObject({ filename: 'Reminder.pdf', mimeType: 'application/pdf' });
    await visitor.send(page, `${path}/recipients`, ada);
    const shown = await eventually(async () => {
      const { text: html } = await visitor.get(page);
      expect(html).toContain('Send 1 test letter for');
      return html;
    });
    expect(shown).toContain('>12.50 EUR</textarea>');
    expect(shown).toMatch(/name="value.late" value="yes"[^>]* checked/);
    const sent = await visitor.send(page, `${path}/confirm`, {});
    const [letter] = await MailJob.find({ organizationId }).lean();
    expect(sent.location).toBe(`/en/account/letters/${letter?._id}?notice=letterSent`);
    expect(letter).toMatchObject({ template: { templateId, version: 1 }, pages: 1 });
    expect(letter?.files).toMatchObject([{ s3Key: file?.s3Key, filename: 'Reminder.pdf' }]);
    // Lists call it what its page calls it.
    expect((await visitor.get(`/en/account/letters/${letter?._id}`)).text).toContain('>Letter Reminder.pdf</h1>');
    for (const list of ['/en/account/letters?mode=test', '/en/account']) {
      const { text: html } = await visitor.get(list);
      expect(html).toMatch(new RegExp(`href="[^"]*${letter?._id}"><span class="breakable">Reminder.pdf</span></a>`));
      expect(html).not.toContain('drf_');
    }
  });

  const sentences: [Language, string, string][] = [
    ['en', 'Fill this in: the letter would have a gap.', 'The font of letters has no 漢 (U+6F22).'],
    ['fr', 'Remplissez ce champ', 'La police des lettres n’a pas ce caractère : 漢 (U+6F22).'],
    ['nl', 'Vul dit in', 'Het lettertype van de brieven heeft dit teken niet: 漢 (U+6F22).'],
    ['de', 'Füllen Sie dieses Feld aus: Sonst', 'Die Schrift der Briefe hat dieses Zeichen nicht: 漢 (U+6F22).'],
  ];
  const tried = byLevel({ quick: sentences.slice(0, 1), full: sentences });
  test.each(tried)(
    'a missing value and a character are named beside their fields in %s',
    async (language, missing, character) => {
      const { visitor, page, organizationId, readDraft } = await visit();
      const wrong = { 'value.firstname': '漢', 'value.amount': ' ' };
      expect((await visitor.send(page, `${path}/template/fill`, wrong)).status).toBe(303);
      const { text: html } = await visitor.get(page.replace('/en/', `/${language}/`));
      const errorOf = (name: string) =>
        new RegExp(`id="account-send-template-fill-value\\.${name}-error">([^<]*)<`).exec(html)?.[1];
      expect([errorOf('firstname'), errorOf('amount')]).toEqual([
        expect.stringContaining(character),
        expect.stringContaining(missing),
      ]);
      expect(html).toContain('>漢</textarea>');
      expect((await readDraft())?.files).toEqual([]);
      expect(await TypesetJob.countDocuments({ organizationId })).toBe(0);
      expect(formsOf(html).map(({ action }) => action)).not.toContain(`/${language}${path}/confirm`);
    },
  );

  test('a letter is made anew with each change, and those before and after it leave no storage', async () => {
    const { visitor, page, readDraft, uploads } = await visit();
    await visitor.send(page, `${path}/template/fill`, values);
    await visitor.send(page, `${path}/template/fill`, values);
    const [file] = (await readDraft())?.files ?? [];
    const usable = async () => (await uploads()).filter(({ usableUntil }) => usableUntil > new Date());
    expect((await uploads()).length).toBe(2);
    expect(await usable()).toMatchObject([{ _id: file?.s3Key }]);
    await visitor.send(page, `${path}/template/fill`, { ...values, 'value.amount': '' });
    expect([(await readDraft())?.files, await usable()]).toEqual([[], []]);
    await visitor.send(page, `${path}/template/fill`, values);
    await visitor.send(page, `${path}/template/remove`, {});
    expect([await readDraft(), await usable()]).toMatchObject([{ template: null, files: [] }, []]);
    expect((await visitor.get(page)).text).toContain('Choose files');
  });

  testWithPrograms('pdftotext')(
    'blank fields are of the recipient: the letter waits for one, and is made again for another',
    async () => {
      const { visitor, page, organizationId, readDraft } = await visit('Dear ((name)) in ((city)).');
      const printed = async () => {
        const [file] = (await readDraft())?.files ?? [];
        return file && textOf({ pdf: await world.store.get({ key: file.s3Key, maxBytes: 1e7 }), pageCount: 1 }).trim();
      };
      expect([await printed(), (await readDraft())?.template]).toMatchObject([undefined, { fault: null }]);
      const waiting = (await visitor.get(page)).text;
      expect(waiting).toContain('The letter is made as soon as it has a recipient.');
      expect(waiting).not.toContain('Fill in the template.');
      expect(waiting).toMatch(/Variable \(\(name\)\)[^<]*<span class="optional">/);
      await visitor.send(page, `${path}/recipients`, ada);
      expect(await printed()).toBe('Dear Ada Peeters in Bruxelles.');
      await visitor.send(page, `${path}/template/fill`, { 'value.name': 'Ms Peeters', 'value.city': '' });
      const recipient = (await readDraft())?.recipients[0]?.recipientId ?? '';
      await visitor.send(`${page}&edit=${recipient}`, `${path}/recipients/change`, {
        ...ada,
        recipient,
        city: 'Brussel',
      });
      expect(await printed()).toBe('Dear Ms Peeters in Brussel.');
      // As if the process had ended between the change of the recipient and the new letter.
      await Draft.updateOne({ organizationId }, { 'recipients.0.city': 'Gent' });
      expect((await visitor.get(page)).text).toContain('Fill in the template.');
      await visitor.send(page, `${path}/recipients`, { ...ada, name: 'Bo' });
      expect([await printed(), (await visitor.get(page)).text.includes('Fill this in')]).toEqual([undefined, true]);
      const both = { 'value.name': 'All', 'value.city': 'Gent' };
      await visitor.send(page, `${path}/template/fill`, both);
      await visitor.send(page, `${path}/recipients/remove`, { recipient });
      expect(await printed()).toBe('Dear All in Gent.');
    },
  );

  test('a letter without variables is made at once, and stays when the mode changes', async () => {
    const { visitor, page, owner, readDraft, uploads } = await visit('Hello.');
    expect((await readDraft())?.files).toHaveLength(1);
    await visitor.send(page, `${path}/mode`, { to: 'live' });
    expect(await readDraft()).toMatchObject({ mode: 'live', template: { mode: owner.mode } });
    expect(await uploads()).toMatchObject([{ mode: 'live' }]);
    const { text: html } = await visitor.get(page);
    expect(html).toContain('<strong class="breakable">Reminder</strong>');
    expect((await visitor.get(`/en${path}`)).text).toContain('Continue Reminder');
  });

  test('a template of the other mode or of another organization cannot be chosen', async () => {
    const [{ templateId }, other] = [await visit(), await visit()];
    await createTemplate({ ...other.owner, mode: 'live' }, { name: 'x', language: 'en', text: 'x' }, new Date());
    for (const page of [`/en${path}`, `/en${path}?mode=test`]) {
      const answer = await other.visitor.send(page, `${path}/template`, { template: templateId });
      expect([answer.status, answer.text.includes('This template no longer exists')]).toEqual([409, true]);
    }
  });

  /** A letter with a sender of the address book, on its page with the form that sends it. */
  async function choose() {
    const visited = await visit('Hello.');
    const { visitor, page, owner } = visited;
    const office = aPostalAddress({ name: 'Office in Ghent', line1: 'Kouter 1', zip: '9000', city: 'Gent' });
    const { _id: addressId } = await createAddress(owner, { kind: 'SENDER', ...office }, new Date());
    await visitor.send(page, `${path}/recipients`, ada);
    await visitor.send(page, `${path}/options`, { service: 'standard', color: 'no', dropOn: '', sender: addressId });
    const { html, form } = await eventually(async () => {
      const { text: html } = await visitor.get(page);
      const form = formsOf(html).find(({ action }) => action.endsWith('/confirm'));
      if (!form) throw new Error('There is no form that sends the letter yet');
      return { html, form };
    });
    return { ...visited, office, addressId, html, send: async () => await visitor.post(form.action, form.hidden) };
  }

  test('the chosen sender is the one that is shown and sent', async () => {
    const { office, addressId, html, send, organizationId } = await choose();
    expect(html).toContain(`<option value="${addressId}" selected>Office in Ghent, Kouter 1, 9000 Gent</option>`);
    expect(html.match(/Office in Ghent/g)).toHaveLength(2);
    expect((await send()).status).toBe(303);
    expect((await MailJob.findOne({ organizationId }).lean())?.sender).toMatchObject(office);
  });

  test('a chosen sender that was deleted is never replaced without a choice', async () => {
    const { visitor, page, owner, addressId, send, organizationId } = await choose();
    await deleteAddress(owner, addressId);
    const stale = await send();
    expect([stale.status, stale.text.includes('The letter was changed meanwhile')]).toEqual([409, true]);
    expect(stale.text).toContain('Choose the sender: the one you chose is not in this address book.');
    expect(stale.text).toContain('selected>No longer in the address book</option>');
    expect(formsOf(stale.text).filter(({ action }) => action.endsWith('/confirm'))).toEqual([]);
    expect(await MailJob.countDocuments({ organizationId })).toBe(0);
    await visitor.send(page, `${path}/options`, { service: 'standard', color: 'no', dropOn: '', sender: '' });
    expect((await visitor.get(page)).text).toContain('Send 1 test letter for');
  });
});
