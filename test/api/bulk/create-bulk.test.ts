// Level: push
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { StorageUse } from '#common/uploads/storage-use.model.ts';
import { aList, checkedBulk, createBulk, insertBulk, uploadForBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { zipOf } from '#test/support/bulk/zip-of.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aRequestAddress, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const rowOf = (file: string, index = 0) => `Ada ${index};Rue Haute 1;1000;Bruxelles;${file}`;

describe('POST /v1/bulk', () => {
  const world = startWorld({ hasWorkers: true });
  const customer = openOnce(() => world.customer());

  test('a list from the Belgian Excel is understood, checked and priced, and nothing is debited', async () => {
    const before = await customer.balanceCents();
    const list = Buffer.from(aList(3, () => ({ name: 'José Müller' })).toString(), 'latin1');
    const bulk = await checkedBulk(customer, list);
    expect(bulk).toMatchObject({
      status: 'ready',
      format: { kind: 'csv', encoding: 'windows-1252', separator: ';' },
      columns: ['Naam', 'Straat', 'Postcode', 'Gemeente', 'Land', 'Lidnummer'],
      mapping: {
        name: ['Naam'],
        line1: ['Straat'],
        zip: ['Postcode'],
        city: ['Gemeente'],
        country: ['Land'],
        line2: [],
      },
      rows: { total: 3, valid: 3, faulty: 0, duplicates: 0 },
      prices: [{ zone: 'NATIONAL', pages: 1, letters: 3 }],
    });
    const quote = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
    const { body } = await customer.http.post('/v1/quote', quote);
    expect(bulk.totalCents).toBe(3 * body.totalCents);
    expect(await customer.balanceCents()).toBe(before);
    expect(await MailJob.countDocuments({ organizationId: customer.organizationId })).toBe(0);
  });

  test('an unknown outcome of the sandbox is a fault of its row, with the known ones', async () => {
    const [header, ...rows] = [
      'Naam;Straat;Postcode;Gemeente',
      'A;sandbox:nothing;1000;Gent',
      'B;sandbox:moved;1000;Gent',
    ];
    const { bulkId, rows: counts } = await checkedBulk(customer, Buffer.from([header, ...rows].join('\n')));
    expect(counts).toMatchObject({ valid: 1, faulty: 1 });
    const { body } = await customer.http.get(`/v1/bulk/${bulkId}/rows?status=faulty`);
    const message = expect.stringContaining('print-failure');
    expect(body.data).toMatchObject([{ row: 2, faults: [{ column: 'Straat', code: 'sandbox_outcome', message }] }]);
  });

  test('an address that cannot be printed is a fault at its cell, a small one a warning, a bad sender a fault', async () => {
    const rows = ['Ada;王;1000;Gent', `Ada;Rue 1;1000;${'W'.repeat(40)}`, `${'x'.repeat(66)};Rue 1;1000;Gent`];
    const list = Buffer.from(['Naam;Straat;Postcode;Gemeente', ...rows].join('\n'));
    const rowsOf = async (request = {}) => {
      const bulk = await checkedBulk(customer, list, { request });
      return (await customer.http.get(`/v1/bulk/${bulk.bulkId}/rows`)).body.data;
    };
    expect(await rowsOf()).toMatchObject([
      { status: 'faulty', faults: [{ column: 'Straat', code: 'unprintable' }], warnings: [] },
      { status: 'faulty', faults: [{ column: 'Gemeente', code: 'does_not_fit' }], warnings: [] },
      { status: 'valid', faults: [], warnings: [{ column: 'Naam', code: 'address_small' }] },
    ]);
    const sender = aRequestAddress({ name: '王' });
    const message = expect.stringContaining('The address of the sender cannot be printed.');
    const [, , last] = await rowsOf({ sender });
    expect(last).toMatchObject({ status: 'faulty', faults: [{ column: null, code: 'refused', message }] });
  });

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

  test('unknown and foreign files are refused, and so is the twenty-first unfinished bulk', async () => {
    const refused = await customer.http.post('/v1/bulk', { file: { s3Key: 'u/x/y' }, serviceType: 'standard' });
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, ['file', 's3Key']]);
    const busy = await world.customer();
    await Promise.all(Array.from({ length: 20 }, () => insertBulk(busy)));
    expect((await createBulk(busy, aList(1))).body.code).toBe('LIMIT_REACHED');
    await Bulk.updateOne({ organizationId: busy.organizationId }, { state: 'sent' });
    expect((await createBulk(busy, aList(1))).status).toBe(202);
  });
});
