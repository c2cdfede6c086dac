// Level: push
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { languages } from '#common/languages.ts';
import type { Owner } from '#common/modes.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { aFaultyBulk, aList, insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf } from '#test/support/product/customer.ts';
import { formsOf, startWebHost } from '#test/support/web/web-host.ts';

describe('bulk sending in the account', () => {
  const { world, host } = startWebHost();
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 1_000 }));
  const visitor = openOnce(() => host.signedIn({ organizationId: customer.organizationId }));
  const live = () => ({ organizationId: customer.organizationId, mode: 'live' as const });
  const stateOf = async (id: string) => (await Bulk.findById(id).orFail().lean<BulkRecord>()).state;

  async function upload(parts: Record<string, string | File>) {
    const [form] = formsOf((await visitor.get('/en/account/bulk/new')).text).filter(({ action }) =>
      /bulk/.test(action),
    );
    const body = new FormData();
    body.append('_csrf', form?.hidden._csrf ?? '');
    for (const [name, value] of Object.entries(parts)) body.append(name, value);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return await fetch(`${host.url}/en/account/bulk/new`, {
      method: 'POST',
      body,
      headers: { cookie },
      redirect: 'manual',
    });
  }
  const list = () => new File([new Uint8Array(aList(2))], 'list.csv');
  const fields = { mode: 'live', serviceType: 'standard' };

  test('the form with a list and a document creates a bulk, which is shown', async () => {
    const document = new File([new Uint8Array(await aPdf(1))], 'letter.pdf');
    const answer = await upload({ ...fields, color: 'yes', sides: 'one', list: list(), document });
    expect(answer.status).toBe(303);
    const path = answer.headers.get('location') ?? '';
    const page = await visitor.get(path);
    expect([page.status, page.headers.get('refresh')]).toEqual([200, '3']);
    expect(page.text).toContain('We are reading your list');
    expect(await Bulk.findById(path.split('/').at(-1)).orFail().lean()).toMatchObject({
      ...{ mode: 'live', color: true, doubleSided: false },
    });
    expect((await visitor.get('/en/account/bulk')).text).toContain('list.csv');
  });

  test('a missing, empty or foreign file is refused beside its field', async () => {
    const document = new File([new Uint8Array(await aPdf(1))], 'letter.pdf');
    const wrong = new File(['x'], 'list.exe');
    const answers = [
      await upload({ ...fields, document }),
      await upload({ ...fields, list: list() }),
      await upload({ ...fields, list: new File([], 'empty.csv'), document }),
      await upload({ ...fields, list: wrong, document }),
    ];
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    const messages = ['Fill in this field', 'Fill in this field', 'This file is empty', 'not accepted'];
    for (const [index, message] of messages.entries()) expect(texts[index]).toContain(message);
  });

  test('a template is chosen in place of a document, of the same mode', async () => {
    const template = { name: 'Reminder', language: 'en', text: 'Dear ((name)).' } as const;
    const { templateId } = await createTemplate(live(), template, new Date());
    const good = await upload({ ...fields, list: list(), template: templateId });
    const id = good.headers.get('location')?.split('/').at(-1);
    expect(await Bulk.findById(id).orFail().lean()).toMatchObject({ template: { templateId, version: 1 }, files: [] });
    const wrong = await upload({ ...fields, mode: 'test', list: list(), template: templateId });
    expect([wrong.status, (await wrong.text()).includes('the other mode')]).toEqual([400, true]);
  });

  test('faults are above the values in their cells, with price and balance, in each language', async () => {
    const id = await aFaultyBulk(customer);
    const words = { en: 'four digits', fr: 'quatre chiffres', nl: 'vier cijfers', de: 'vier Ziffern' };
    for (const language of languages) {
      const { text } = await visitor.get(`/${language}/account/bulk/${id}`);
      expect(text).toMatch(new RegExp(`${words[language]}[^<]*</span><span class="value breakable">100<`));
      expect(text).not.toContain('undefined');
    }
    const { text } = await visitor.get(`/en/account/bulk/${id}`);
    expect(text).toContain('Send 1,202 letters without faults for €2,656.42');
    expect(text).toContain('The balance does not cover all letters');
    const { bytes, headers } = await visitor.getBytes(`/en/account/bulk/${id}/faults`);
    expect([headers.get('content-type'), bytes.toString()]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringContaining('100'),
    ]);
  });

  test('rows with warnings are shown before the confirmation, with what to do, in each language', async () => {
    const warning = { column: 2, code: 'decimals_removed', detail: null } as const;
    const counts = { rows: 2, valid: 2, faulty: 0, duplicates: 0, warned: 1 };
    const id = await insertBulk(live(), { counts, warnedRows: [3] }, [{}, { warnings: [warning] }]);
    const words = { en: 'Rows to check', fr: 'Lignes à vérifier', nl: 'Rijen na te kijken', de: 'Zeilen zu prüfen' };
    for (const language of languages) {
      const { text } = await visitor.get(`/${language}/account/bulk/${id}`);
      expect(text).toContain(words[language]);
      expect(text).toMatch(/cell-warning">[^<]*10115\.0\.<\/span><span class="value breakable">1000</);
    }
    const without = await insertBulk(live(), {}, [{}]);
    expect((await visitor.get(`/en/account/bulk/${without}`)).text).not.toContain('Rows to check');
  });

  test('one confirmation sends; a second click of the same form does not', async () => {
    const id = await insertBulk(live(), { totalCents: 221 }, [{}]);
    const path = `/account/bulk/${id}`;
    const [form] = formsOf((await visitor.get(`/en${path}`)).text).filter(({ action }) => action.endsWith('/confirm'));
    expect(form?.hidden).toMatchObject({ maxTotalCents: '221', revision: '0' });
    const sent = await visitor.post(form?.action ?? '', form?.hidden ?? {});
    expect([sent.status, await stateOf(id)]).toEqual([303, 'sending']);
    expect((await visitor.post(form?.action ?? '', form?.hidden ?? {})).status).toBe(403);
    expect((await visitor.get(`/en${path}`)).text).toContain('Letters created: 0 of 1');
    expect((await visitor.send(`/en${path}`, `${path}/pause`, {})).status).toBe(303);
    expect((await visitor.get(`/en${path}`)).text).toContain('Letters that are created stay as they are');
    expect((await visitor.send(`/en${path}`, `${path}/resume`, {})).status).toBe(303);
    expect(await stateOf(id)).toBe('sending');
    expect((await visitor.send(`/en${path}/cancel`, `${path}/cancel`, {})).status).toBe(303);
    expect(await stateOf(id)).toBe('cancelled');
    expect((await visitor.getBytes(`/en${path}/results`)).bytes.toString()).toContain('Ada Peeters');
  });

  test('a bulk that has changed since the page was opened is refused, in each language', async () => {
    const id = await insertBulk(live(), { totalCents: 221 }, [{}]);
    const path = `/account/bulk/${id}`;
    const forms = await Promise.all(
      languages.map(async (language) =>
        formsOf((await visitor.get(`/${language}${path}`)).text).find(({ action }) => action.endsWith('/confirm')),
      ),
    );
    await Bulk.updateOne({ _id: id }, { state: 'cancelled' });
    const words = {
      en: 'changed meanwhile',
      fr: 'a changé entre-temps',
      nl: 'intussen veranderd',
      de: 'inzwischen geändert',
    };
    for (const [index, language] of languages.entries()) {
      const refused = await visitor.post(forms[index]?.action ?? '', forms[index]?.hidden ?? {});
      expect([refused.status, refused.text.includes(words[language])]).toEqual([409, true]);
    }
  });

  test('columns are chosen in a form, and the rows are checked again', async () => {
    const counts = { rows: 1, valid: 1, faulty: 0, duplicates: 0, assumedBelgian: 7 };
    const id = await insertBulk(live(), { state: 'needs_mapping', missing: ['name', 'country'], counts }, [{}]);
    const path = `/account/bulk/${id}`;
    const { text } = await visitor.get(`/en${path}`);
    expect(text).toContain('No column was found for: Name.');
    // A list need not have a column of countries: the choice of one for all rows is named.
    const choices = {
      en: 'choose it under “Country of rows without one”',
      fr: 'choisissez-le sous « Pays des lignes sans pays »',
      nl: 'kies het dan bij “Land van rijen zonder land”',
      de: 'wählen Sie es unter „Land der Zeilen ohne Land“',
    };
    for (const language of languages) {
      expect((await visitor.get(`/${language}${path}`)).text).toContain(choices[language]);
    }
    expect(text).toContain('Rows without a country (7)');
    const columns = { name: 'Naam', line1: 'Straat', zip: 'Postcode', city: 'Gemeente', defaultCountry: 'BE' };
    expect((await visitor.send(`/en${path}`, `${path}/mapping`, columns)).status).toBe(303);
    const bulk = await Bulk.findById(id).orFail().lean<BulkRecord>();
    const wantedMapping = { fields: { name: ['Naam'], line2: [] }, defaultCountry: 'BE' };
    expect(bulk).toMatchObject({ state: 'validating', wantedMapping, revision: 1 });
  });

  test('a choice between encodings, and a repair, are one press away in each language', async () => {
    const asks = [
      { encoding: 'windows-1250', cells: ['Řehoř', 'Dvořák'] },
      { encoding: 'cp850', cells: ['ě', 'ó'] },
    ] as const;
    const format = { kind: 'csv', encoding: 'windows-1250', separator: ';', headerRow: 3, titleRows: 1 } as const;
    const likely = asks.map(({ encoding, cells }) => ({ encoding, cells: [...cells] }));
    const asked = await insertBulk(live(), { state: 'needs_mapping', format: { ...format, likely } }, [{}]);
    const garbled = await insertBulk(
      live(),
      { format: { ...format, twiceEncoded: 1_204 }, reading: { separator: ';' } },
      [{}],
    );
    const words = { en: '1,204', fr: '1\u202f204', nl: '1.204', de: '1.204' };
    for (const language of languages) {
      const { text } = await visitor.get(`/${language}/account/bulk/${asked}`);
      expect(text).toContain('Řehoř · Dvořák');
      expect((await visitor.get(`/${language}/account/bulk/${garbled}`)).text).toContain(`(${words[language]})`);
    }
    const send = async (id: string, fields: Record<string, string>) => {
      const path = `/account/bulk/${id}`;
      const { status } = await visitor.send(`/en${path}`, `${path}/reading`, fields);
      const { state, reading, format } = await Bulk.findById(id).orFail().lean<BulkRecord>();
      return [status, state, reading, format];
    };
    expect(await send(asked, { encoding: 'cp850' })).toEqual([303, 'validating', { encoding: 'cp850' }, null]);
    expect((await send(garbled, { headerRow: '-1' }))[0]).toBe(400);
    const repaired = { separator: ';', repairText: true };
    expect(await send(garbled, { repairText: 'yes' })).toEqual([303, 'validating', repaired, null]);
    const other = await insertBulk(live(), { format, reading: { encoding: 'cp850', repairText: true } }, [{}]);
    const fields = { encoding: '', separator: '|', headerRow: '0' };
    expect((await send(other, fields))[2]).toEqual({ repairText: true, separator: '|', headerRow: 0 });
  });

  test('what no letter uses is named before the price, and what looks like an address must be decided', async () => {
    const header = ['Naam', 'Straat', 'Postcode', 'Gemeente', 'c/o', 'Telefoon'];
    const columns = { header, unusedColumns: ['c/o', 'Telefoon'], undecidedColumns: ['c/o'] };
    const rows = [{ cells: ['Jan', 'Kerkstraat 1', '9000', 'Gent', 'Els', '09 123'] }];
    const id = await insertBulk(live(), { ...columns, state: 'needs_mapping' }, rows);
    const path = `/account/bulk/${id}`;
    for (const language of languages) {
      const { text } = await visitor.get(`/${language}${path}`);
      expect(text).toMatch(/notice warning[\s\S]*: c\/o\./);
      expect(text).not.toContain('/confirm"');
      expect(text).not.toContain('undefined');
    }
    const { text } = await visitor.get(`/en${path}`);
    expect(text).toContain('>c/o (Els)</option>');
    const form = {
      name: 'Naam',
      'name-between': ', ',
      name3: 'c/o',
      line1: 'Straat',
      zip: 'Postcode',
      city: 'Gemeente',
    };
    expect((await visitor.send(`/en${path}`, `${path}/mapping`, { ...form, ignored: 'Telefoon' })).status).toBe(303);
    expect(await Bulk.findById(id).orFail().lean<BulkRecord>()).toMatchObject({
      wantedMapping: { fields: { name: ['Naam', 'c/o'] }, separators: { name: ', ' } },
      ignoredColumns: ['Telefoon'],
    });
    const ready = await insertBulk(live(), { ...columns, undecidedColumns: [], totalCents: 221 }, rows);
    expect((await visitor.get(`/en/account/bulk/${ready}`)).text).toMatch(/letter: c\/o and Telefoon[\s\S]*\/confirm"/);
  });

  test('the columns chosen for the same heading are proposed, to the same organization and mode only', async () => {
    const header = ['Wie', 'Waar', 'Post', 'Plaats'];
    const fields = { name: ['Wie'], line1: ['Waar'], zip: ['Post'], city: ['Plaats'] };
    const asked = { state: 'needs_mapping' as const, header, mapping: null, missing: ['name'] };
    const proposalOf = async (changes: Partial<BulkRecord> = {}, owner: Owner = live()) => {
      const id = await insertBulk(owner, { ...asked, ...changes }, [{}]);
      const { text } = await visitor.get(`/en/account/bulk/${id}`);
      return [text.includes('same headings'), text.includes('value="Wie" selected')];
    };
    expect(await proposalOf()).toEqual([false, false]);
    await insertBulk(live(), { header, wantedMapping: { fields, variables: {} } });
    expect(await proposalOf()).toEqual([true, true]);
    expect(await proposalOf({ header: [...header, 'Tel'] })).toEqual([false, false]);
    expect(await proposalOf({ wantedMapping: { fields: {} } })).toEqual([false, false]);
    expect(await proposalOf({}, { ...live(), mode: 'test' })).toEqual([false, false]);
  });

  test('a file that cannot be read says why, in each language', async () => {
    const failure = { code: 'FILE', fault: 'quote_not_closed', line: 7, message: 'x' } as const;
    const id = await insertBulk(live(), { state: 'failed', failure });
    for (const language of languages)
      expect((await visitor.get(`/${language}/account/bulk/${id}`)).text).toMatch(/ 7[ ,]/);
  });

  test('what is wrong with the shared document is said in each language, with its remedy', async () => {
    const message = '“letter.pdf” is damaged.';
    const finding = { code: 'damaged_pdf', severity: 'error', page: null, boxMm: null, message, fix: 'x' } as const;
    const failure = { code: 'DOCUMENT', message: `${message} x`, findings: [finding] } as const;
    const id = await insertBulk(live(), { state: 'failed', failure: { ...failure, findings: [finding] } });
    for (const [language, what] of [
      ['en', '<strong>A PDF is damaged</strong> Export the document as PDF again.'],
      ['fr', '<strong>Un PDF est endommagé</strong> Exportez à nouveau le document en PDF.'],
      ['nl', '<strong>Een PDF is beschadigd</strong> Exporteer het document opnieuw als PDF.'],
      ['de', '<strong>Ein PDF ist beschädigt</strong> Exportieren Sie das Dokument neu als PDF.'],
    ])
      expect((await visitor.get(`/${language}/account/bulk/${id}`)).text).toContain(what);
  });
});
