// Level: push
import { Address } from '#common/addresses/address.model.ts';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { Draft } from '#common/drafts/draft.model.ts';
import { findDraft } from '#common/drafts/save-draft.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aPdf, aPostalAddress } from '#test/support/product/customer.ts';
import { aDraft, finishChecks } from '#test/support/web/draft-scene.ts';
import { formsOf, startWebHost, type Visitor } from '#test/support/web/web-host.ts';

const path = '/account/send';
const ada = { name: 'Ada Peeters', line1: 'Rue Haute 1', line2: '', zip: '1000', city: 'Bruxelles', country: 'BE' };

describe('the send page without JavaScript', () => {
  const { world, host } = startWebHost();

  /** Sends files as the form of the page does. */
  async function addFiles(visitor: Visitor, page: string, files: readonly File[], isSignedIn = true) {
    const form = formsOf((await visitor.get(page)).text).find(({ action }) => action.endsWith(`${path}/files`));
    const body = new FormData();
    for (const [name, value] of Object.entries(form?.hidden ?? {})) body.append(name, value);
    for (const file of files) body.append('files', file);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers: Record<string, string> = isSignedIn ? { cookie } : {};
    return await fetch(host.url + (form?.action ?? ''), { method: 'POST', body, headers, redirect: 'manual' });
  }

  const pdf = async (name: string) => new File([new Uint8Array(await aPdf())], name);
  const pageOf = (answer: { location: string | null }) => (answer.location ?? '').split('#')[0] ?? '';

  test('a letter goes from files to its page by forms alone', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const added = await addFiles(visitor, `/en${path}`, [
      await pdf('a.pdf'),
      new File(['x'], 'b.txt'),
      await pdf('c.pdf'),
    ]);
    const location = added.headers.get('location') ?? '';
    expect([added.status, location]).toEqual([
      303,
      expect.stringMatching(/^\/en\/account\/send\?draft=drf_\w+#files$/),
    ]);
    const page = pageOf({ location });
    const files = (await visitor.get(page)).text;
    expect(files).toContain('<strong>b.txt</strong> is not a PDF, JPEG, PNG or HEIC file.');
    expect(files).toContain('Checking your files for print…');
    await finishChecks(organizationId);

    const refused = await visitor.send(page, `${path}/recipients`, { ...ada, zip: '12', city: '' });
    expect([refused.status, refused.text.includes('Enter a Belgian postal code')]).toEqual([400, true]);
    expect(refused.text).toContain('value="Rue Haute 1"');
    expect(refused.text).toContain('Fill in this field');
    expect((await visitor.send(page, `${path}/recipients`, { ...ada, save: 'yes' })).location).toBe(
      `${page}#recipients`,
    );
    expect(await Address.countDocuments({ organizationId, mode: 'test', name: 'Ada Peeters' })).toBe(1);
    await visitor.send(page, `${path}/recipients/paste`, { text: 'Jan Janssens\nKouter 1\n9000 Gent' });
    expect((await visitor.get(page)).text).toContain('value="Kouter 1"');
    await visitor.send(page, `${path}/recipients/confirm`, { ...ada, name: 'Jan Janssens' });
    await visitor.send(page, `${path}/options`, { service: 'prior', color: 'yes', sides: 'one', dropOn: '' });
    // The files are checked again: each page is a sheet now.
    await visitor.get(page);
    await finishChecks(organizationId);
    const { text } = await visitor.get(page);
    expect(text).toMatch(/<button class="button big primary"[^>]*>Send 2 test letters for €\d\.\d\d<\/button>/);
    const sent = await visitor.send(page, `${path}/confirm`, {});
    const [letter] = await MailJob.find({ organizationId }).lean();
    expect(sent.location).toBe(`/en/account/letters/${letter?._id}?notice=letterSent`);
    expect(letter).toMatchObject({
      serviceType: 'prior',
      color: true,
      doubleSided: false,
      mode: 'test',
      items: [{}, { name: 'Jan Janssens' }],
    });
    expect((await visitor.get(page)).location).toBe(`/en/account/letters/${letter?._id}`);
    expect((await visitor.get(`/en${path}`)).text).not.toContain('Unfinished letters');
  });

  test('a page that is out of date is shown again with what has changed, and nothing is debited', async () => {
    const { visitor, page, organizationId, customer } = await openDraft();
    const form = formsOf((await visitor.get(page)).text).find(({ action }) => action.endsWith('/confirm'));
    await visitor.send(page, `${path}/recipients`, ada);
    const before = await customer.balanceCents();
    const answer = await visitor.post(form?.action ?? '', form?.hidden ?? {});
    expect([answer.status, answer.text.includes('The letter was changed meanwhile')]).toEqual([409, true]);
    expect(answer.text).toContain('Send 2 test letters');
    const cheaper = formsOf(answer.text).find(({ action }) => action.endsWith('/confirm'));
    const dear = await visitor.post(form?.action ?? '', { ...cheaper?.hidden, total: '1' });
    expect([dear.status, dear.text.includes('The price has changed')]).toEqual([409, true]);
    expect(await MailJob.countDocuments({ organizationId })).toBe(0);
    expect(await customer.balanceCents()).toBe(before);
  });

  test('a letter whose sender was changed since it was shown is shown again, and nothing is debited', async () => {
    const { visitor, page, draft, organizationId, customer } = await openDraft();
    const confirmOf = (text: string) => formsOf(text).find(({ action }) => action.endsWith('/confirm'));
    const form = confirmOf((await visitor.get(page)).text);
    const sender = aPostalAddress({ name: 'Another office', line1: 'Rue Neuve 9' });
    await createAddress(draft, { kind: 'SENDER', ...sender, isDefault: true }, new Date());
    const before = await customer.balanceCents();
    const answer = await visitor.post(form?.action ?? '', form?.hidden ?? {});
    expect([answer.status, answer.text.includes('Another office')]).toEqual([409, true]);
    expect(await MailJob.countDocuments({ organizationId })).toBe(0);
    expect(await customer.balanceCents()).toBe(before);
    const again = confirmOf(answer.text);
    expect((await visitor.post(again?.action ?? '', again?.hidden ?? {})).status).toBe(303);
    expect((await MailJob.findOne({ organizationId }).lean())?.sender).toMatchObject(sender);
  });

  test('a balance that is too low is said before, and a page from before says it too', async () => {
    const { visitor, page, draft, senderKey, organizationId } = await openDraft({ mode: 'live', balanceCents: 100 });
    const shown = await visitor.get(page);
    expect(shown.text).toContain('Top up your live wallet; your letter stays here meanwhile.');
    expect(formsOf(shown.text).map(({ action }) => action)).not.toContain(`/en${path}/confirm`);
    const [form] = formsOf(shown.text).filter(({ action }) => action.endsWith('/options'));
    const fields = { ...form?.hidden, revision: String(draft.revision), total: '10000', sender: senderKey };
    const answer = await visitor.post(`/en${path}/confirm`, fields);
    expect([answer.status, answer.text.includes('Your balance is too low for this letter.')]).toEqual([409, true]);
    expect(await MailJob.countDocuments({ organizationId })).toBe(0);
  });

  test('an unfinished letter is offered to the user who began it, and can be discarded', async () => {
    const { visitor, page, draftId } = await openDraft();
    const offered = (await visitor.get(`/en${path}`)).text;
    expect(offered).toContain('Unfinished letters');
    expect(offered).toContain(`href="${page}"`);
    const discard = formsOf(offered).find(({ action }) => action.endsWith('/discard'));
    expect(discard?.hidden.draft).toBe(draftId);
    expect((await visitor.post(discard?.action ?? '', discard?.hidden ?? {})).location).toContain(
      'notice=draftDiscarded',
    );
    expect(await Draft.countDocuments({ _id: draftId })).toBe(0);
    expect((await visitor.get(page)).status).toBe(404);
  });

  test('an entry of the address book that differs in its second line only can still be added', async () => {
    const { visitor, page, draft } = await openDraft();
    const [taken] = draft.recipients;
    for (const line2 of [taken?.line2 ?? null, 'Box 2']) {
      const { recipientId: _, ...address } = taken ?? { recipientId: '', ...ada };
      await createAddress(draft, { kind: 'RECIPIENT', ...address, line2 }, new Date());
    }
    const { text } = await visitor.get(page);
    expect(formsOf(text).filter(({ action }) => action.endsWith('/recipients/pick'))).toHaveLength(1);
  });

  test('the mode is a choice, the address book is that of the mode, and its entries can be searched', async () => {
    const { visitor, page, draft, draftId, organizationId } = await openDraft();
    await createAddress(draft, { kind: 'RECIPIENT', ...aPostalAddress({ name: 'Only in test' }) }, new Date());
    expect((await visitor.get(`${page}&q=only`)).text).toContain('aria-label="Add Only in test"');
    expect((await visitor.get(`${page}&q=nobody`)).text).toContain('No recipient matches.');
    expect((await visitor.send(page, `${path}/recipients/pick`, {})).status).toBe(303);
    const entry = await Address.findOneAndDelete({ organizationId, name: 'Only in test' }).orFail().lean();
    await visitor.send(page, `${path}/mode`, { to: 'live' });
    expect(await findDraft({ organizationId, draftId }, new Date())).toMatchObject({ mode: 'live' });
    const live = (await visitor.get(page)).text;
    expect(live).toMatch(/value="live"[^>]*aria-pressed="true"/);
    expect(live).toContain('Your address book has no recipients in this mode yet.');
    expect(live).toContain('Only in test');
    const [form] = formsOf(live).filter(({ action }) => action.endsWith(`${path}/recipients`));
    const gone = await visitor.post(`/en${path}/recipients/pick`, { ...form?.hidden, address: entry._id });
    expect([gone.status, gone.text.includes('no longer in your address book')]).toEqual([409, true]);
  });

  test('a day that is over or too far ahead is refused, and the choices are kept', async () => {
    const { visitor, page } = await openDraft();
    const choices = { service: 'registered', color: 'yes', receipt: 'yes' };
    for (const [dropOn, message] of [
      ['2020-01-01', 'This day is over.'],
      ['2099-01-01', 'within the next 180 days'],
      ['soon', 'This value is not valid.'],
    ] as const) {
      const answer = await visitor.send(page, `${path}/options`, { ...choices, dropOn });
      expect([dropOn, answer.status, answer.text.includes(message)]).toEqual([dropOn, 400, true]);
      expect(answer.text).toMatch(/value="registered" id="send-service-registered" checked/);
    }
  });

  test('drafts, their pictures and their forms are of their organization alone', async () => {
    const { page, draftId } = await openDraft();
    const stranger = await host.signedIn();
    expect((await stranger.get(page)).status).toBe(404);
    expect((await stranger.get(`/en${path}/${draftId}/picture?check=pf_01m834aepfe00b346hnqmeg3nr`)).status).toBe(404);
    const [form] = formsOf((await stranger.get(`/en${path}`)).text).filter(({ action }) =>
      action.endsWith('/recipients'),
    );
    const answer = await stranger.post(`/en${path}/recipients`, { ...form?.hidden, ...ada, draft: draftId });
    expect(answer.status).toBe(404);
    expect((await addFiles(stranger, `/en${path}`, [await pdf('a.pdf')], false)).status).toBe(303);
    expect((await Draft.findById(draftId).lean())?.recipients).toHaveLength(1);
  });

  /** A complete draft of a signed-in user. */
  async function openDraft(options: Parameters<typeof aDraft>[1] = {}) {
    const scene = await aDraft(world, options);
    const visitor = await host.signedIn({ organizationId: scene.organizationId });
    await Draft.updateOne({ _id: scene.draftId }, { userId: visitor.user.userId });
    return { ...scene, visitor, page: `/en${path}?draft=${scene.draftId}` };
  }

  test('an address that cannot be printed names each field to change', async () => {
    const visitor = await host.signedIn();
    const draft = await visitor.send(`/en${path}`, `${path}/recipients`, { ...ada, name: '王', city: 'Gent 王' });
    const { text } = await visitor.get(pageOf(draft));
    expect(text).toContain('characters that cannot be printed. Edit: Name and Town or city.');
  });
});
