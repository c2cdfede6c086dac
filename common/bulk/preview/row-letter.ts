import { findDefaultSender } from '#common/addresses/find-default-sender.ts';
import type { EnvelopeWindow } from '#common/config/variables.ts';
import { AppError, conflict, notFound } from '#common/errors.ts';
import { bulkRowId, idOfContent } from '#common/ids.ts';
import { resolveAddresses } from '#common/mail-jobs/create/resolve-addresses.ts';
import { startPreflight, waitForResult } from '#common/mail-jobs/preflight/start-preflight.ts';
import type { CopySource } from '#common/mail-jobs/proof/item-copy.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { readVersion } from '#common/templates/read-templates.ts';
import { type ResolveDeps, setLetter } from '#common/templates/resolve-template.ts';
import { readVariables } from '../check/read-letter.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { BulkRow, type BulkRowRecord, rowsOfBulk } from '../model/bulk-row.model.ts';
import { describeRowFault } from '../model/row-faults.ts';
import { filesOf, toSendRequest } from '../send/to-send-request.ts';

type RowLetterDeps = ResolveDeps & {
  store: ObjectStore;
  envelopeWindow: EnvelopeWindow;
  /** Called before the wait for a letter that is not rendered yet. */
  onUnrendered?: () => void;
};

/** How long a request waits for the print file of a row. */
const maxWaitMs = 20_000;
const lateRetryS = 5;

/** Whether the rows of a bulk can be looked at as letters: they are checked, and not confirmed yet. */
export function canBePreviewed({ state }: Pick<BulkRecord, 'state'>): boolean {
  return state === 'ready' || state === 'needs_attention';
}

/** Returns a row of a bulk, and the numbers of those before and behind it. Throws NOT_FOUND for an unknown one. */
export async function readRow({ _id: bulkId }: BulkRecord, rowNumber: number) {
  const _id = bulkRowId(bulkId, rowNumber);
  const number = { row: 1 } as const;
  const [row, before, behind] = await Promise.all([
    BulkRow.findById(_id).orFail(notFound).lean<BulkRowRecord>(),
    BulkRow.findOne({ _id: { ...rowsOfBulk(bulkId)._id, $lt: _id } }, number)
      .sort({ _id: -1 })
      .lean<Pick<BulkRowRecord, 'row'>>(),
    BulkRow.findOne(rowsOfBulk(bulkId, _id), number).sort({ _id: 1 }).lean<Pick<BulkRowRecord, 'row'>>(),
  ]);
  return { row, before: before?.row ?? null, behind: behind?.row ?? null };
}

/**
 * Returns the letter of a row as it will be printed, for pictures and proofs: its document is set, rendered and kept for an
 * hour, a shared one once. Throws CONFLICT unless the rows are checked and not confirmed, NOT_FOUND for an unknown row,
 * VALIDATION_ERROR for one with faults, SERVICE_UNAVAILABLE while the document is rendered, and as `setLetter` and
 * `startPreflight`.
 */
export async function findRowLetter(
  bulk: BulkRecord,
  rowNumber: number,
  deps: RowLetterDeps,
  at: Date,
): Promise<CopySource> {
  const { _id, organizationId, mode, serviceType, color, doubleSided } = bulk;
  const owner = { organizationId, mode };
  const row = await findValidRow(bulk, rowNumber);
  const files = await findFiles(bulk, row, deps, at);
  const { body } = toSendRequest(bulk, row, files);
  const { recipients, sender } = await resolveAddresses(body, owner);
  const from = sender ?? (await findDefaultSender(owner)).address;
  const started = await startPreflight(owner, { files, serviceType, color, doubleSided, keptFor: _id }, deps, at);
  if (started.result === undefined) deps.onUnrendered?.();
  const { result } = await waitForResult(started, maxWaitMs);
  if (result === undefined || result.findings.some(({ code }) => code === 'not_checked')) {
    const message = 'The letter of this row is not rendered yet. Try again in a few seconds.';
    throw new AppError('SERVICE_UNAVAILABLE', { message, retryAfterS: lateRetryS });
  }
  const fault = result.findings.find(({ severity }) => severity === 'error');
  if (fault) throw conflict(`${fault.message} ${fault.fix}`);
  // The same id means the same copy, as of a letter.
  const itemId = idOfContent('mi', JSON.stringify([row._id, recipients, from]));
  const items = recipients.map((address) => ({ ...address, itemId, status: 'queued' as const, shareCents: 0 }));
  return { _id, ...owner, items, sender: from, printFile: result.printFile ?? null, status: 'queued' };
}

async function findValidRow(bulk: BulkRecord, rowNumber: number): Promise<BulkRowRecord> {
  const { _id, state, confirmedAt } = bulk;
  if (!canBePreviewed(bulk)) {
    const what = confirmedAt === null ? 'Its rows can be shown once they are checked' : 'See the proofs of its letters';
    throw conflict(`The bulk is ${state}. ${what}.`);
  }
  const row = await BulkRow.findById(bulkRowId(_id, rowNumber)).orFail(notFound).lean<BulkRowRecord>();
  if (row.state === 'valid') return row;
  const nameOf = (column: number | null) => (column === null ? [] : (bulk.header[column] ?? []));
  const issues = row.faults.map((fault) => ({
    path: ['rows', rowNumber].concat(nameOf(fault.column) as never),
    message: describeRowFault(fault),
  }));
  throw new AppError('VALIDATION_ERROR', { message: 'This row has faults, so it has no letter; see issues.', issues });
}

async function findFiles(
  bulk: BulkRecord,
  row: BulkRowRecord,
  deps: RowLetterDeps,
  at: Date,
): Promise<{ s3Key: string }[]> {
  const { _id: keptFor, organizationId, mode, template, mapping } = bulk;
  if (!template || mapping === null) return filesOf(bulk, row);
  const owner = { organizationId, mode };
  const version = await readVersion(owner, template.templateId, template.version);
  const variables = readVariables(row.cells, mapping, { version, zone: bulk.zone });
  const { language, text } = version;
  const { s3Key } = await setLetter(owner, { language, text, variables, keptFor }, deps, at);
  return [{ s3Key }];
}
