// Level: ci
import iconv from 'iconv-lite';
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { StorageUse } from '#common/uploads/storage-use.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { aList, checkedBulk, createBulk, uploadForBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { aWorkbook } from '#test/support/bulk/workbook.ts';
import { zipOf } from '#test/support/bulk/zip-of.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const rowOf = (file: string, index = 0) => `Ada ${index};Rue Haute 1;1000;Bruxelles;${file}`;

describe('POST /v1/bulk of any list, and of documents in a ZIP', () => {
  const world = startWorld({ hasWorkers: true });
  const customer = openOnce(() => world.customer());

  test('a file that cannot be read fails with what to do', async () => {
    const bulk = await checkedBulk(customer, Buffer.from('Naam;Stad\nAda;"Gent\n'));
    expect(bulk).toMatchObject({ status: 'failed', failure: { code: 'FILE' } });
    expect(bulk.failure.message).toContain('A quote is opened at line');
  });

  test('a document that cannot be printed, or none at all, fails the bulk', async () => {
    const files = [{ s3Key: await upload(customer, Buffer.from('%PDF-1.7 broken')) }];
    const broken = await checkedBulk(customer, aList(1), { hasDocument: false, request: { files } });
    expect([broken.failure.code, broken.failure.message]).toEqual(['DOCUMENT', expect.stringContaining('damaged')]);
    const stored = await Bulk.findById(broken.bulkId).orFail().lean<BulkRecord>();
    expect(stored.failure?.findings).toMatchObject([{ code: 'damaged_pdf', severity: 'error' }]);
    const none = await checkedBulk(customer, aList(1), { hasDocument: false });
    expect([none.failure.code, none.failure.message]).toEqual(['DOCUMENT', expect.stringContaining('no document')]);
  });

  test('a ZIP has a document per row; each is counted, and faults are named', async () => {
    const index = `${aList(3)
      .toString()
      .replace('Lidnummer', 'Bestand')
      .replaceAll(/m-(\d)/g, 'letters/$1.pdf')}`;
    const list = zipOf({
      'index.csv': Buffer.from(index),
      'letters/1.pdf': await aPdf(1),
      'letters/2.pdf': await aPdf(3),
      '__MACOSX/letters/._1.pdf': Buffer.from('x'),
    });
    const bulk = await checkedBulk(customer, list, { mimeType: 'application/zip', hasDocument: false });
    expect(bulk).toMatchObject({ status: 'needs_attention', format: { kind: 'zip' }, rows: { valid: 2, faulty: 1 } });
    expect(bulk.prices.map(({ pages, letters }: { pages: number; letters: number }) => [pages, letters])).toEqual([
      [1, 1],
      [3, 1],
    ]);
    const { body } = await customer.http.get(`/v1/bulk/${bulk.bulkId}/rows?status=faulty`);
    expect(body.data).toMatchObject([{ row: 4, faults: [{ column: 'Bestand', code: 'unknown_file' }] }]);
  });

  test('a ZIP of macOS or Windows spells names in its own way; two spellings are two documents', async () => {
    const index = ['Naam;Straat;Postcode;Gemeente;Bestand', ...['d/é.pdf', 'd/b.pdf', 'd/è.pdf', 'd/è.pdf'].map(rowOf)];
    const files = { 'd/e\u0301.pdf': 1, 'd\\b.pdf': 2, 'd/è.pdf': 3, 'd/e\u0300.pdf': 1 };
    const documents = Object.entries(files).map(async ([name, pages]) => [name, await aPdf(pages)] as const);
    const list = zipOf({ ...Object.fromEntries(await Promise.all(documents)), 'i.csv': Buffer.from(index.join('\n')) });
    const bulk = await checkedBulk(customer, list, { mimeType: 'application/zip', hasDocument: false });
    const { body } = await customer.http.get(`/v1/bulk/${bulk.bulkId}/rows`);
    expect(bulk.rows).toMatchObject({ valid: 4, faulty: 0 });
    expect(bulk.prices.map(({ pages, letters }: Record<string, number>) => [pages, letters])).toEqual([
      ...[
        [1, 1],
        [2, 1],
        [3, 2],
      ],
    ]);
    expect(body.data).toHaveLength(4);
  });

  test('equal documents of a ZIP are opened and stored once', async () => {
    const owner = await world.customer();
    const [pdf, bad] = [await aPdf(2), Buffer.from('%PDF-1.7')];
    const files = { 'a.pdf': pdf, 'b.pdf': pdf, 'c.pdf': bad, 'd.pdf': bad };
    const index = ['Naam;Straat;Postcode;Gemeente;Bestand', ...Object.keys(files).map(rowOf)].join('\n');
    const list = zipOf({ ...files, 'i.csv': Buffer.from(index) });
    const bulk = await checkedBulk(owner, list, { mimeType: 'application/zip', hasDocument: false });
    expect(bulk).toMatchObject({ rows: { valid: 2, faulty: 2 }, prices: [{ pages: 2, letters: 2 }] });
    const filter = { organizationId: owner.organizationId, mimeType: 'application/pdf' } as const;
    expect(await Upload.countDocuments(filter)).toBe(1);
  });

  test('a ZIP whose documents need more storage than is left fails with what to do', async () => {
    const full = await world.customer();
    const index = ['Naam;Straat;Postcode;Gemeente;Bestand', rowOf('a.pdf')].join('\n');
    const list = zipOf({ 'a.pdf': await aPdf(1), 'i.csv': Buffer.from(index) });
    const request = await uploadForBulk(full, list, { mimeType: 'application/zip', hasDocument: false });
    await StorageUse.updateOne({ organizationId: full.organizationId }, { bytes: 1e15 });
    const { bulkId } = (await full.http.post('/v1/bulk', request)).body;
    const { failure } = await waitForBulk(full, bulkId, ['failed']);
    expect(failure).toEqual({ code: 'FILE', message: expect.stringContaining('need more storage') });
  });

  test('names of variables are text, and may be words of the language', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const text = 'Hello ((constructor))';
    const { templateId } = await createTemplate(owner, { name: 'Hello', language: 'en', text }, new Date());
    const list = Buffer.from('Naam;Straat;Postcode;Gemeente;Constructor\nAda;Rue Haute 1;1000;Bruxelles;x\n');
    const create = (variables: object) =>
      createBulk(customer, list, { hasDocument: false, request: { templateId, mapping: { variables } } });
    expect((await create({ 'a\u0000b': 'Naam' })).status).toBe(400);
    const { bulkId } = (await create({ $ref: 'Naam', 'a.b': 'Naam', constructor: 'Constructor' })).body;
    expect((await waitForBulk(customer, bulkId, ['ready', 'needs_mapping'])).missingFields).toEqual([]);
  });

  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  /** Creates a bulk of a list and has it checked. Returns its id, and functions that read it again and look at it. */
  const listOf = async (list: Uint8Array, request = {}, mimeType = 'text/csv') => {
    const { bulkId } = await checkedBulk(customer, list, { mimeType, request });
    const show = async () => (await customer.http.get(`/v1/bulk/${bulkId}`)).body;
    const read = async (body: object) => {
      const answer = await customer.http.post(`/v1/bulk/${bulkId}/mapping`, body);
      if (answer.status === 200)
        await waitForBulk(customer, bulkId, ['ready', 'needs_attention', 'needs_mapping', 'failed']);
      return answer.status;
    };
    const rows = async () => (await customer.http.get(`/v1/bulk/${bulkId}/rows`)).body.data;
    return { bulkId, show, read, rows };
  };

  test('a list that can be read in two encodings waits for the choice, which is then obeyed', async () => {
    const text = 'Name;Street;Postcode;City\nŘehoř;Rue Haute 1;1000;Bruxelles\n';
    const { bulkId, show, read, rows } = await listOf(iconv.encode(text, 'windows-1250'));
    const { status, missingFields, format } = await show();
    expect([status, missingFields]).toEqual(['needs_mapping', []]);
    expect(format.choices.encodings).toEqual([
      { encoding: 'windows-1252', cells: ['Øehoø'] },
      { encoding: 'windows-1250', cells: ['Řehoř'] },
    ]);
    expect((await customer.http.post(`/v1/bulk/${bulkId}/confirm`)).status).toBe(409);
    expect(await read({ reading: { encoding: 'latin' } })).toBe(400);
    expect(await read({ reading: { encoding: 'windows-1250' } })).toBe(200);
    expect(await show()).toMatchObject({
      status: 'ready',
      format: { encoding: 'windows-1250', choices: { encodings: [] } },
    });
    expect(await rows()).toMatchObject([{ cells: ['Řehoř', 'Rue Haute 1', '1000', 'Bruxelles'], status: 'valid' }]);
    // Other columns leave the reading as it is.
    expect(await read({ mapping: { name: 'City' } })).toBe(200);
    expect((await show()).format.encoding).toBe('windows-1250');
  });

  test('text that was encoded twice is a fault of its rows, and is repaired by one field', async () => {
    const list = Buffer.from('Name;Street;Postcode;City\nÃ‰cole;Rue Haute 1;1000;LiÃ¨ge\nAda;Rue 2;1000;Gent\n');
    const { show, read, rows } = await listOf(list);
    const [first] = await rows();
    expect(first.faults.map(({ code }: { code: string }) => code)).toEqual(['garbled', 'garbled']);
    const { warnings, choices } = (await show()).format;
    expect([warnings.map(({ code }: { code: string }) => code), choices.twiceEncodedCells]).toEqual([
      ['twice_encoded', 'assumed_country'],
      2,
    ]);
    expect(await read({ reading: { repairText: true } })).toBe(200);
    expect(await show()).toMatchObject({
      status: 'ready',
      format: { repairText: true, warnings: [{ code: 'assumed_country' }] },
    });
    expect((await rows())[0].cells).toEqual(['École', 'Rue Haute 1', '1000', 'Liège']);
  });

  test('heading, sheet and hidden rows are chosen at creation or later, and warned about before', async () => {
    const lines = ['Ledenlijst;;;', 'Name;Street;Postcode;City', 'Ana;Rue 1;1000;Gent'].map((line) => line.split(';'));
    const cells = (line: string[]) => line.map((text) => `<c t="str"><v>${text}</v></c>`).join('');
    const rows = lines.map((line, index) => `<row${index === 2 ? ' hidden="1"' : ''}>${cells(line)}</row>`).join('');
    const sheets = ['A', 'B'].map((name, index) => `<sheet name="${name}" r:id="rId${index + 1}"/>`).join('');
    const list = aWorkbook({
      rows: `${rows}<row>${cells(lines[2] ?? [])}</row>`,
      workbook: `<sheets>${sheets}</sheets>`,
    });
    const { show, read } = await listOf(list, {}, xlsx);
    const { status, format, rows: counts } = await show();
    expect([status, counts.total, format.sheet, format.headerRow, format.hiddenRows]).toEqual([
      'ready',
      2,
      'A',
      2,
      'send',
    ]);
    const codes = format.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(['other_sheets', 'hidden_rows', 'title_rows', 'assumed_country']);
    const messages = format.warnings.map(({ message }: { message: string }) => message).join(' ');
    expect(messages).toMatch(/1 other visible sheet,.*1 hidden row,.*1 row above/);
    expect(await read({ reading: { sheet: 'C' } })).toBe(400);
    expect(await read({ reading: { sheet: 'A', hiddenRows: 'skip' } })).toBe(200);
    expect(await show()).toMatchObject({
      rows: { total: 1 },
      format: { hiddenRows: 'skip', choices: { hiddenRows: 1 } },
    });
    const other = await listOf(list, { reading: { sheet: 'B', headerRow: 0 } }, xlsx);
    expect(await other.show()).toMatchObject({ columns: ['Column 1'], format: { sheet: 'B', headerRow: 0 } });
  });
});
