// Level: push
import { Bulk } from '#common/bulk/model/bulk.model.ts';
import { BulkRow, type BulkRowRecord } from '#common/bulk/model/bulk-row.model.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { createBulk, insertBulk, runBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/bulk/{id}/results and /faults', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer({ balanceCents: 10_000 }));
  const read = async (id: string, file: string) => {
    const answer = await fetch(`${world.url}/v1/bulk/${id}/${file}`, { headers: { 'X-API-Key': customer.key } });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  test('faults are the rows of the file with their faults; no cell is run as a formula', async () => {
    const fault = { column: 2, code: 'belgian_zip', detail: null } as const;
    const cells = ['=HYPERLINK("x")', 'Rue Haute 1', '100', 'Bruxelles'];
    const id = await insertBulk(customer, {}, [{ state: 'faulty', cells, faults: [fault] }, {}]);
    const { status, type, text } = await read(id, 'faults');
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(text.trimEnd().split('\r\n')).toEqual(
      [
        '\ufeffNaam,Straat,Postcode,Gemeente,bluejay row,bluejay faults',
        `"'=HYPERLINK(""x"")",Rue Haute 1,100,Bruxelles,2,"Postcode: A Belgian postal code has four digits, 1000 to 9999. Correct it."`,
        'Ada Peeters,Rue Haute 1,1000,Bruxelles,3,',
      ].map((line) => line.replace('\ufeff', '')),
    );
  });

  test('results name the mail job of each row', async () => {
    const id = await insertBulk(customer, { state: 'sent' }, [{}, {}]);
    const { body } = await customer.send({ externalId: `${id}:3`, recipients: [aRequestAddress()] });
    const lines = (await read(id, 'results')).text.trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 4))).toEqual([
      ['2', 'valid', '', ''],
      ['3', 'sent', body.mailJobId, 'queued'],
    ]);
  });

  test('columns that no letter uses come from the uploaded file, and are named once that is removed', async () => {
    const rows = ['Naam;Nota;Straat;Postcode;Gemeente;Tel', 'Ada;één;Rue Haute 1;1000;Bruxelles;7', ';twee;;;;8'];
    const { bulkId: id } = (await createBulk(customer, Buffer.from(rows.join('\n')))).body;
    // Its document is checked already.
    await Bulk.updateOne({ _id: id }, { pages: 1 });
    expect((await runBulk(world, id)).state).toBe('needs_attention');
    await customer.http.post(`/v1/bulk/${id}/confirm`, { skipFaultyRows: true });
    const { state, file, removeAt } = await runBulk(world, id);
    expect(state).toBe('sent');
    const kept = await BulkRow.find({ bulkId: id }).sort({ _id: 1 }).lean<BulkRowRecord[]>();
    const used = [
      ['Ada', '', 'Rue Haute 1', '1000', 'Bruxelles'],
      ['', '', '', '', ''],
    ];
    expect(kept.map(({ cells }) => cells)).toEqual(used);
    const readLines = async () => (await read(id, 'faults')).text.split('\r\n');
    expect(await readLines()).toEqual([
      'Naam,Nota,Straat,Postcode,Gemeente,Tel,bluejay row,bluejay faults',
      'Ada,één,Rue Haute 1,1000,Bruxelles,7,2,',
      expect.stringMatching(/^,twee,,,,8,3,/),
      '',
    ]);
    // As long as its rows.
    const { usableUntil } = await Upload.findById(file.s3Key).orFail().lean<UploadRecord>();
    expect(usableUntil.getTime()).toBeGreaterThanOrEqual(removeAt?.getTime() ?? Number.POSITIVE_INFINITY);
    await world.store.delete(file.s3Key);
    expect((await readLines()).slice(0, 2)).toEqual([
      'Naam,Straat,Postcode,Gemeente,"bluejay omitted: Nota, Tel",bluejay row,bluejay faults',
      'Ada,Rue Haute 1,1000,Bruxelles,,2,',
    ]);
  });

  test('once the rows are removed there is a CONFLICT', async () => {
    const id = await insertBulk(customer, { state: 'sent' });
    await Bulk.updateOne({ _id: id }, { $unset: { removeAt: '' } });
    expect((await read(id, 'results')).status).toBe(409);
  });
});
