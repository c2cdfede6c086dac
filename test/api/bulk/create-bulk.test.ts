// Level: push
import { Bulk } from '#common/bulk/model/bulk.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { aList, checkedBulk, createBulk, insertBulk, uploadForBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aRequestAddress, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

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
      rows: { total: 3, valid: 3, faulty: 0, duplicates: 0, warned: 0 },
      prices: [{ zone: 'NATIONAL', pages: 1, letters: 3 }],
    });
    const quote = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
    const { body } = await customer.http.post('/v1/quote', quote);
    expect(bulk.totalCents).toBe(3 * body.totalCents);
    expect(await customer.balanceCents()).toBe(before);
    expect(await MailJob.countDocuments({ organizationId: customer.organizationId })).toBe(0);
  });

  test('rows without a country are named before the price, until a country is chosen for them', async () => {
    const rows = ['Ada;Rue Haute 1;1000;Bruxelles;', 'Bo;Rue Haute 2;1000;Bruxelles;', 'Cy;Rue 1;75001;Paris;FR'];
    const list = Buffer.from(['Naam;Straat;Postcode;Gemeente;Land', ...rows].join('\n'));
    const { bulkId, ...bulk } = await checkedBulk(customer, list);
    const message = expect.stringContaining('sent within Belgium: 2 rows');
    expect([bulk.status, bulk.format.warnings]).toEqual(['ready', [{ code: 'assumed_country', message }]]);
    await customer.http.post(`/v1/bulk/${bulkId}/mapping`, { mapping: { defaultCountry: 'GB' } });
    const chosen = await waitForBulk(customer, bulkId, ['ready']);
    expect([chosen.format.warnings, chosen.mapping.defaultCountry]).toEqual([[], 'GB']);
    expect(chosen.prices).toMatchObject([{ zone: 'INTERNATIONAL', letters: 3 }]);
    // Postal codes of four digits are none of Britain.
    const column = 'Postcode';
    expect((await customer.http.get(`/v1/bulk/${bulkId}/rows`)).body.data).toMatchObject([
      { warnings: [{ column, code: 'unusual_zip' }] },
      { warnings: [{ column, code: 'unusual_zip' }] },
      { warnings: [] },
    ]);
    const zone = await checkedBulk(customer, list, { request: { zone: 'NATIONAL' } });
    expect(zone.format.warnings).toEqual([]);
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

  test('a reference that is repeated is a fault of the later row', async () => {
    const { bulkId, rows: counts } = await checkedBulk(
      customer,
      aList(2, () => ({ id: 'm-1' })),
    );
    expect(counts).toMatchObject({ valid: 1, faulty: 1 });
    const { body } = await customer.http.get(`/v1/bulk/${bulkId}/rows?status=faulty`);
    expect(body.data).toMatchObject([{ row: 3, faults: [{ column: 'Lidnummer', code: 'repeated_reference' }] }]);
  });

  test('an address that cannot be printed is a fault at its cell, a small one a warning, a bad sender a fault', async () => {
    const rows = [
      'Ada;王;1000;Gent 王',
      `Ada;Rue 1;1000;${'W'.repeat(40)}`,
      `${'x'.repeat(66)};Rue 1;1000;Gent`,
      'Ada;王;99;',
    ];
    const list = Buffer.from(['Naam;Straat;Postcode;Gemeente', ...rows].join('\n'));
    const rowsOf = async (request = {}) => {
      const bulk = await checkedBulk(customer, list, { request });
      return (await customer.http.get(`/v1/bulk/${bulk.bulkId}/rows`)).body.data;
    };
    const unprintable = (column: string) => ({ column, code: 'unprintable' });
    expect(await rowsOf()).toMatchObject([
      { status: 'faulty', faults: [unprintable('Straat'), unprintable('Gemeente')], warnings: [] },
      { status: 'faulty', faults: [{ column: 'Gemeente', code: 'does_not_fit' }], warnings: [] },
      { status: 'valid', faults: [], warnings: [{ column: 'Naam', code: 'address_small' }] },
      {
        faults: [
          { column: 'Postcode', code: 'belgian_zip' },
          { column: 'Gemeente', code: 'missing' },
          unprintable('Straat'),
        ],
      },
    ]);
    const sender = aRequestAddress({ name: '王' });
    const message = expect.stringContaining('The address of the sender cannot be printed.');
    const refused = { column: null, code: 'refused', message };
    const [, , last] = await rowsOf({ sender: { ...sender, city: '東' } });
    expect(last).toMatchObject({ status: 'faulty', faults: [refused, refused] });
  });

  test('one upload serves ten bulks, and the files of a refused one stay no longer than unused ones', async () => {
    const owner = await world.customer();
    const [s3Key, unusedKey] = [await upload(owner, await aPdf()), await upload(owner, await aPdf())];
    const request = { ...(await uploadForBulk(owner, aList(1))), files: [{ s3Key }] };
    const answers = await Promise.all(Array.from({ length: 11 }, () => owner.http.post('/v1/bulk', request)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(202), 409]);
    const refused = answers.find(({ status }) => status === 409)?.body;
    expect([refused.code, refused.message]).toEqual(['LIMIT_REACHED', expect.stringContaining('Upload it again')]);
    await owner.http.post('/v1/bulk', { ...request, files: [{ s3Key: unusedKey }] });
    const [kept, unused] = await Promise.all([s3Key, unusedKey].map((key) => Upload.findById(key).orFail().lean()));
    const hoursOf = (row: typeof kept) =>
      ((row?.usableUntil.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)) / 3_600_000;
    expect([hoursOf(kept) > 24, hoursOf(unused)]).toEqual([true, 24]);
  });

  test('unknown and foreign files are refused, so is the 21st unfinished bulk', async () => {
    const refused = await customer.http.post('/v1/bulk', { file: { s3Key: 'u/x/y' }, serviceType: 'standard' });
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, ['file', 's3Key']]);
    const busy = await world.customer();
    await Promise.all(Array.from({ length: 18 }, () => insertBulk(busy)));
    const requests = await Promise.all(Array.from({ length: 4 }, () => uploadForBulk(busy, aList(1))));
    const answers = await Promise.all(requests.map((request) => busy.http.post('/v1/bulk', request)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 409, 409]);
    expect((await createBulk(busy, aList(1))).body.code).toBe('LIMIT_REACHED');
  });

  test.each([
    ['counts.rows', 5_000_000, '5000000 rows of bulks'],
    ['rowBytes', 5_000_000_000, '5.0 GB'],
  ])('a bulk is refused when the sum of %s that are kept is %i, and told what to do', async (field, most, text) => {
    const owner = await world.customer();
    const [first, second] = [await insertBulk(owner, { state: 'sent' }), await insertBulk(owner, { state: 'sent' })];
    // Bulks from before their bytes were counted have none.
    await insertBulk(owner, { state: 'sent' });
    const keep = async (id: string, sum: number) => await Bulk.updateOne({ _id: id }, { $set: { [field]: sum } });
    await Promise.all([keep(first, most - 7), keep(second, 6)]);
    expect((await createBulk(owner, aList(1))).status).toBe(202);
    await keep(second, 7);
    const { code, message } = (await createBulk(owner, aList(1))).body;
    expect([code, message]).toEqual(['LIMIT_REACHED', expect.stringContaining(text)]);
    expect(message).toContain('Cancel bulks that you will not confirm');
    // Its rows are removed.
    await Bulk.updateOne({ _id: first }, { $unset: { removeAt: '' } });
    expect((await createBulk(owner, aList(1))).status).toBe(202);
  });
});
