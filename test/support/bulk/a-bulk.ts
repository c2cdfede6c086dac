import { runBulkCheck } from '#common/bulk/check/run-bulk-check.ts';
import { Bulk, type BulkRecord, bulkCheckWork, bulkSendWork } from '#common/bulk/model/bulk.model.ts';
import { BulkRow, type BulkRowRecord } from '#common/bulk/model/bulk-row.model.ts';
import { runBulkSend } from '#common/bulk/send/run-bulk-send.ts';
import { plusMs } from '#common/clock.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { bulkRowId, newId } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { eventually } from '../jest.ts';
import { aPdf, type Customer, upload } from '../product/customer.ts';
import type { World } from '../product/world.ts';

/** The header of `aList`, as the Belgian Excel writes one. */
const header = 'Naam;Straat;Postcode;Gemeente;Land;Lidnummer';

/** Returns a list of letters in CSV, one row per number from 1. `change` returns other cells of a row. */
export function aList(
  count: number,
  change: (row: number) => Partial<Record<'name' | 'zip' | 'id', string>> = () => ({}),
) {
  const rows = Array.from({ length: count }, (_, index) => {
    const { name = `Ada Peeters ${index + 1}`, zip = '1000', id = `m-${index + 1}` } = change(index + 1);
    return [name, `Rue Haute ${index + 1}`, zip, 'Bruxelles', 'BE', id].join(';');
  });
  return Buffer.from([header, ...rows, ''].join('\r\n'));
}

type BulkOptions = { mimeType?: string; filename?: string; request?: object; hasDocument?: boolean };

/** Uploads a list and a document of one page. Returns the request that creates a bulk of them. */
export async function uploadForBulk(
  customer: Customer,
  list: Uint8Array,
  { mimeType = 'text/csv', filename = 'list.csv', request = {}, hasDocument = true }: BulkOptions = {},
) {
  const asked = { filename, mimeType, sizeBytes: list.length };
  const { body: address } = await customer.http.post('/v1/bulk/uploads', asked);
  const put = await fetch(address.uploadUrl, { method: 'PUT', headers: address.headers, body: Buffer.from(list) });
  if (!put.ok) throw new Error(`The store answered ${put.status}`);
  const files = hasDocument ? [{ s3Key: await upload(customer, await aPdf(1)) }] : undefined;
  const file = { s3Key: address.s3Key };
  return { file, ...(files && { files }), serviceType: 'standard', ...request };
}

/** Uploads a list and creates a bulk of it, with a document of one page. Returns the answer. */
export async function createBulk(customer: Customer, list: Uint8Array, options: BulkOptions = {}) {
  return await customer.http.post('/v1/bulk', await uploadForBulk(customer, list, options));
}

/** Waits until a bulk has one of these statuses, and returns it. */
export async function waitForBulk(customer: Customer, bulkId: string, statuses: readonly string[]) {
  return await eventually(async () => {
    const { body } = await customer.http.get(`/v1/bulk/${bulkId}`);
    const { status, failure, pause, counts, progress } = body;
    // With the progress: a bulk of many rows keeps one status for long.
    if (!statuses.includes(status))
      throw new Error(`The bulk is ${JSON.stringify([status, failure, pause, counts, progress])}`);
    return body;
  });
}

/** Creates a bulk and waits until its rows are checked. */
export async function checkedBulk(customer: Customer, list: Uint8Array, options: BulkOptions = {}) {
  const { status, body } = await createBulk(customer, list, options);
  if (status !== 202) throw new Error(`POST /v1/bulk answered ${status}: ${JSON.stringify(body)}`);
  return await waitForBulk(customer, body.bulkId, ['needs_mapping', 'needs_attention', 'ready', 'failed']);
}

/** Stores a bulk whose rows are checked, without a file. Returns its id. */
export async function insertBulk(
  { organizationId, mode }: Owner,
  changes: Partial<BulkRecord> = {},
  rows: Partial<BulkRowRecord>[] = [],
): Promise<string> {
  const now = new Date();
  const _id = newId('blk');
  const isConfirmed = ['sending', 'paused', 'sent'].includes(changes.state ?? 'ready');
  const bulk: BulkRecord = {
    ...{ _id, organizationId, mode, credentialId: 'key', state: 'ready', failure: null, pause: null },
    file: { s3Key: `none-${_id}`, filename: 'list.csv', sizeBytes: 100, etag: '"1"' },
    format: { kind: 'csv', encoding: 'utf-8', separator: ';' },
    ...{ header: ['Naam', 'Straat', 'Postcode', 'Gemeente'], wantedMapping: null, missing: [] },
    mapping: { fields: { name: [0], line1: [1], zip: [2], city: [3] }, variables: [] },
    ...{ files: [], pages: 1, serviceType: 'standard', zone: null, color: false, acknowledgmentReceipt: false },
    ...{ scheduledDropAt: null, sender: null, totalCents: 0, prices: [], skipsFaulty: false, acceptsNewPrice: false },
    counts: { rows: rows.length, valid: rows.length, faulty: 0, duplicates: 0 },
    progress: { sent: 0, sentCents: 0, refused: 0, cancelled: 0, notCancelled: 0 },
    ...{ doneUpTo: '', due: {}, confirmedAt: isConfirmed ? now : null, completedAt: null },
    ...{ removeAt: plusMs(now, 3_600_000), createdAt: now, updatedAt: now },
    ...changes,
  };
  await Bulk.create([bulk]);
  const cells = ['Ada Peeters', 'Rue Haute 1', '1000', 'Bruxelles'];
  const checked = { cells, state: 'valid', faults: [], warnings: [], priceCents: 221, pages: 1 } as const;
  await BulkRow.insertMany(
    rows.map((row, index) => ({ _id: bulkRowId(_id, index + 2), bulkId: _id, row: index + 2, ...checked, ...row })),
  );
  return _id;
}

/** Stores a bulk with every kind of content that its page shows before the confirmation. Returns its id. */
export async function aFaultyBulk({ organizationId }: Pick<Owner, 'organizationId'>): Promise<string> {
  const good = ['Ada Peeters', 'Rue Haute 1', '1000', 'Bruxelles'];
  const faulty = (cells: string[], faults: BulkRowRecord['faults']) => ({ cells, faults, state: 'faulty' as const });
  const amounts = {} as BulkRecord['prices'][number]['amounts'];
  return await insertBulk(
    { organizationId, mode: 'live' },
    {
      state: 'needs_attention',
      file: {
        s3Key: newId('mi'),
        filename: 'leden-van-de-vereniging-met-een-lange-naam-2026.csv',
        sizeBytes: 1,
        etag: '"1"',
      },
      format: { kind: 'csv', encoding: 'windows-1252', separator: ';' },
      counts: { rows: 1_204, valid: 1_202, faulty: 2, duplicates: 1 },
      totalCents: 265_642,
      prices: [{ zone: 'NATIONAL', pages: 1, letters: 1_202, unitCents: 221, amounts }],
    },
    [
      { cells: good },
      faulty(
        ['', 'Rue Haute 2', '100', 'Bruxelles'],
        [
          { column: 0, code: 'missing', detail: null },
          { column: 2, code: 'belgian_zip', detail: null },
        ],
      ),
      faulty(['名前', 'Rue Haute 3', '1000', 'Bruxelles'], [{ column: null, code: 'unprintable', detail: '名 前' }]),
    ],
  );
}

/** Stores a bulk that can be sent: `count` rows, and a document that is in the store. Returns its id. */
export async function aSendableBulk(
  customer: Owner & { http: Customer['http'] },
  count: number,
  changes: Partial<BulkRecord> = {},
) {
  const s3Key = await upload(customer, await aPdf(1));
  const file = { s3Key, etag: '"1"', filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 1 } as const;
  const rows = Array.from({ length: count }, (_, index) => ({
    cells: [`Ada Peeters ${index + 1}`, `Rue Haute ${index + 1}`, '1000', 'Bruxelles'],
  }));
  return await insertBulk(customer, { files: [file], totalCents: count * 221, ...changes }, rows);
}

/** Does what the worker of bulks would do now, in this process: checks rows, sends or cancels. */
export async function runBulk({ workersOptions, clock }: World, bulkId: string): Promise<BulkRecord> {
  const never = new AbortController().signal;
  const deps = { ...workersOptions, slots: createRenderSlots() };
  for (;;) {
    const now = clock.now();
    const check = await claimDue<BulkRecord>(bulkCheckWork, bulkId, now);
    const send = check ? null : await claimDue<BulkRecord>(bulkSendWork, bulkId, now);
    if (check) await runBulkCheck(check, deps, never);
    else if (send) await runBulkSend(send, deps, { closing: never, signal: never });
    else return await Bulk.findById(bulkId).orFail().lean<BulkRecord>();
  }
}
