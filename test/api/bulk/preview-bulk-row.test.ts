// Level: push
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bulk } from '#common/bulk/model/bulk.model.ts';
import { keysWithin } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Preflight } from '#common/mail-jobs/preflight/preflight.model.ts';
import { findItem, makeItemCopy } from '#common/mail-jobs/proof/item-copy.ts';
import { TemporaryObject, type TemporaryObjectRecord } from '#common/platform/s3/temporary-object.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { TypesetJob, type TypesetJobRecord } from '#common/templates/typeset-job.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { aList, aSendableBulk, checkedBulk, insertBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { zipOf } from '#test/support/bulk/zip-of.ts';
import { readPages } from '#test/support/documents/read-pdf.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, type Customer } from '#test/support/product/customer.ts';
import { download } from '#test/support/product/download.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/bulk/{id}/rows/{row}/preview', () => {
  const world = startWorld({ hasWorkers: true });
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 10_000 }));
  const ask = async (bulkId: string, row: number | string, query = '', { http }: Customer = customer) =>
    await http.get(`/v1/bulk/${bulkId}/rows/${row}/preview${query}`);
  const kept = async (bulkId: string) =>
    await TemporaryObject.find({ name: keysWithin(bulkId) }).lean<TemporaryObjectRecord[]>();

  /** Returns the text of the first page of a PDF. */
  async function textAt(url: string): Promise<string> {
    const path = join(await mkdtemp(join(tmpdir(), 'row-')), 'letter.pdf');
    await writeFile(path, (await download(url)).bytes);
    const [page] = await readPages(path, { isDrawn: false });
    return page?.text ?? '';
  }

  test('a row is a PDF with its address, or a picture of a page, and the shared document is rendered once', async () => {
    const { bulkId } = await checkedBulk(customer, aList(3));
    const [second, third] = await Promise.all([ask(bulkId, 2), ask(bulkId, 4)]);
    expect([second.status, second.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(second.body).toEqual({ url: expect.anything(), expiresAt: expect.anything(), row: 2, pages: 1 });
    expect(new Date(second.body.expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(300_000);
    expect([(await download(second.body.url)).type, third.body.url === second.body.url]).toEqual([
      'application/pdf',
      false,
    ]);
    const picture = await ask(bulkId, 2, '?page=1');
    const { type, bytes } = await download(picture.body.url);
    expect([type, bytes.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
    expect([(await ask(bulkId, 2, '?page=2')).status, (await ask(bulkId, 2, '?page=0')).status]).toEqual([404, 400]);
    const names = (await kept(bulkId)).map(({ name }) => name.split(/[ :]/)[1]);
    expect(names.toSorted()).toEqual(['picture', 'print', 'proof', 'proof']);
    expect(await Preflight.countDocuments({ keptFor: bulkId })).toBe(1);
  });

  test('a preview is the letter that is sent, byte for byte, with another id in the marks of its sheets', async () => {
    const { bulkId } = await checkedBulk(customer, aList(2));
    const { url } = (await ask(bulkId, 3)).body;
    const shown = await download(url);
    await customer.http.post(`/v1/bulk/${bulkId}/confirm`);
    await waitForBulk(customer, bulkId, ['sent']);
    const job = await eventually(async () => {
      const sent = await MailJob.findOne({ externalId: `${bulkId}:3`, 'printFile.sizeBytes': { $gt: 0 } });
      return sent?.toObject<MailJobRecord>() ?? Promise.reject(new Error('The letter is not rendered'));
    });
    const [, itemId = ''] = /(mi_\w{26})\.pdf/.exec(url) ?? [];
    const { item, printFile } = findItem(job, undefined);
    expect(itemId).not.toBe(item.itemId);
    const toCopy = { item: { ...item, itemId }, printFile };
    const copy = await makeItemCopy(job, toCopy, { store: world.store, makeFolder: () => Promise.reject() });
    expect('bytes' in copy && copy.bytes.equals(shown.bytes)).toBe(true);
    const gone = await ask(bulkId, 3);
    expect(gone.body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('proofs of its letters') });
    expect(await Preflight.countDocuments({ keptFor: bulkId })).toBe(0);
  });

  test('a row of a template has its values, and all that was made of it goes with the list', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const text = 'Dear ((first name)), thank you.';
    const { templateId } = await createTemplate(owner, { name: 'Thanks', language: 'en', text }, new Date());
    const rows = ['Ada Peeters;Ada;Rue Haute 1;1000;Bruxelles', 'Jan Jans;Jan;Kerkstraat 2;9000;Gent'];
    const list = Buffer.from(['Full name;First name;Street;Postcode;City', ...rows].join('\n'));
    const { bulkId } = await checkedBulk(customer, list, { hasDocument: false, request: { templateId } });
    const letter = await textAt((await ask(bulkId, 3)).body.url);
    expect(letter).toContain('Dear Jan, thank you.');
    const made = { key: keysWithin(bulkId) };
    const [job] = await TypesetJob.find(made).lean<TypesetJobRecord[]>();
    const _id = job?.result?.s3Key ?? '';
    const usable = async () => await Upload.countDocuments({ _id, usableUntil: { $gt: new Date() } });
    expect([(await kept(bulkId)).length, await usable()]).toEqual([2, 1]);
    await customer.http.post(`/v1/bulk/${bulkId}/cancel`);
    const at = Date.now();
    expect((await kept(bulkId)).map(({ removeAt }) => removeAt.getTime() <= at)).toEqual([true, true]);
    const left = [await Preflight.countDocuments(made), await TypesetJob.countDocuments(made), await usable()];
    expect(left).toEqual([0, 0, 0]);
  });

  test('a row of a ZIP has the document that it names', async () => {
    const index = Buffer.from('Naam;Straat;Postcode;Gemeente;Bestand\nAda;Rue Haute 1;1000;Bruxelles;b.pdf');
    const zip = zipOf({ 'index.csv': index, 'a.pdf': await aPdf(1), 'b.pdf': await aPdf(3) });
    const options = { mimeType: 'application/zip', filename: 'list.zip', hasDocument: false };
    const { bulkId } = await checkedBulk(customer, zip, options);
    expect((await ask(bulkId, 2)).body).toMatchObject({ row: 2, pages: 3 });
  });

  test('a row with faults names each of them, and unchecked, unknown and foreign rows have no preview', async () => {
    const faults = [{ column: 2, code: 'belgian_zip' as const, detail: null }];
    const id = await insertBulk(customer, { state: 'needs_attention' }, [{ state: 'faulty', faults }]);
    expect((await ask(id, 2)).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'This row has faults, so it has no letter; see issues.',
      issues: [{ path: ['rows', 2, 'Postcode'], message: expect.stringContaining('four digits') }],
    });
    for (const row of [1, 3, 0, 'x', '99999999']) expect([row, (await ask(id, row)).status]).toEqual([row, 404]);
    const unmapped = await insertBulk(customer, { state: 'needs_mapping' }, [{}]);
    const { body } = await ask(unmapped, 2);
    expect(body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('needs_mapping') });
    const own = await aSendableBulk(customer, 1);
    const inTest = await world.customer({ organizationId: customer.organizationId });
    const others = [inTest, await world.customer({ mode: 'live' })];
    for (const other of others) expect((await ask(own, 2, '', other)).status).toBe(404);
    const sending = await world.customer({
      organizationId: customer.organizationId,
      ...{ mode: 'live', scopes: ['send'] },
    });
    expect((await ask(own, 2, '', sending)).status).toBe(403);
  });

  test('what is kept for previews is bounded: beyond the limit nothing is rendered', async () => {
    const full = await world.customer({ mode: 'live' });
    const id = await aSendableBulk(full, 1);
    const { organizationId, mode } = full;
    const row = { name: 'x', storedAt: new Date(), removeAt: new Date(Date.now() + 60_000), organizationId, mode };
    await TemporaryObject.create({ _id: `t/${id}`, ...row, sizeBytes: 2 * 1024 ** 3 + 1 });
    const { status, body } = await ask(id, 2, '', full);
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(await Preflight.countDocuments({ keptFor: id })).toBe(0);
    expect((await Bulk.findById(id).lean())?.state).toBe('ready');
  });
});
