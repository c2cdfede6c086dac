import type { Credential } from '#common/access/credential.ts';
import { requireReadable } from '#common/access/require-scope.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { plusMs } from '#common/clock.ts';
import { AppError, conflict, hasCode, invalid, notFound } from '#common/errors.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { removeRows } from '../check/store-rows.ts';
import type { Reading } from '../file/reading.ts';
import {
  Bulk,
  type BulkRecord,
  type BulkState,
  bulkCheckWork,
  bulkLifeMs,
  bulkSendWork,
  type NamedMapping,
} from '../model/bulk.model.ts';
import type { BulkConfirmRequest } from '../model/bulk-request.schema.ts';
import { keepBulkUploads, releaseBulkUploads, unfinishedStates } from '../model/bulk-uploads.ts';
import { removePreviews } from '../preview/remove-previews.ts';
import { readBulk } from '../read/read-bulk.ts';

type Reader = Pick<Credential, 'organizationId' | 'mode' | 'scopes' | 'id'>;
type Caller = Reader & Pick<Credential, 'actor'>;
type Deps = { hints: Hints };

/** When rows are removed again that a worker stored just behind the cancellation. */
const strayRowsMs = 60 * 60 * 1000;

/** Returns the grant under which an application sends a bulk: when it ends, the bulk is paused. */
const grantOf = ({ actor: { grantId } }: Caller) => (grantId === undefined ? {} : { grantId });

/**
 * Returns a bulk that the answer will show. Throws NOT_FOUND, and FORBIDDEN for a credential that neither created it nor
 * has the scope `read`, as for letters.
 */
export async function readToChange(caller: Reader, bulkId: string): Promise<BulkRecord> {
  const bulk = await readBulk(caller, bulkId);
  requireReadable(caller, bulk, 'the bulk');
  return bulk;
}

/**
 * Confirms a bulk: its rows become mail jobs in the background. A repeat answers the same. Throws CONFLICT for a bulk that
 * is not ready, has another `revision`, or has faults which are not to be skipped, and PRICE_CHANGED above `maxTotalCents`.
 */
export async function confirmBulk(
  caller: Caller,
  bulkId: string,
  { maxTotalCents, skipFaultyRows, revision }: BulkConfirmRequest,
  { hints }: Deps,
  at: Date,
): Promise<BulkRecord> {
  const bulk = await readToChange(caller, bulkId);
  if (bulk.confirmedAt !== null && bulk.state !== 'cancelled') return bulk;
  const skips = skipFaultyRows === true && bulk.state === 'needs_attention' && bulk.counts.valid > 0;
  if (bulk.state !== 'ready' && !skips) throw refusal(bulk, 'be confirmed');
  if (revision != null && revision !== (bulk.revision ?? 0)) {
    const message = `Its columns or its reading were chosen again: it has revision ${bulk.revision ?? 0}. Look at it again.`;
    throw conflict(message);
  }
  if (maxTotalCents != null && (bulk.totalCents ?? 0) > maxTotalCents) {
    const message = `The whole costs ${bulk.totalCents} cents, above maxTotalCents. Confirm it with the price that it has.`;
    throw new AppError('PRICE_CHANGED', { message });
  }
  await keepBulkUploads(bulk, at);
  const set = {
    ...{ state: 'sending', confirmedAt: at, skipsFaulty: skips, doneUpTo: `${bulkId}:`, 'due.send': newDue(at) },
    ...grantOf(caller),
  };
  const detail = { letters: bulk.counts.valid, totalCents: bulk.totalCents ?? 0 };
  const change = {
    set: { ...set, removeAt: plusMs(at, bulkLifeMs.ended) },
    // What was compared: the rows may be checked again at this moment, for the same price.
    onlyIf: { totalCents: bulk.totalCents, revision: bulk.revision ?? null },
  };
  try {
    const changed = await move(bulk, [bulk.state], change, at, (session) =>
      audit('bulk.confirmed', caller, bulkId, detail, at, session),
    );
    await removePreviews(bulk, at);
    hints.notify(bulkSendWork.queue, [bulkId]);
    return changed;
  } catch (error) {
    // Two requests at once: the other one has confirmed it.
    const latest = await readBulk(caller, bulkId);
    if (hasCode(error, 'CONFLICT') && latest.state === 'sending') return latest;
    throw error;
  }
}

/** Pauses a bulk. Letters that are sent stay sent. A repeat answers the same. Throws CONFLICT when it is not sending. */
export async function pauseSending(
  caller: Reader,
  bulkId: string,
  at: Date,
  message = 'Paused on request.',
): Promise<BulkRecord> {
  const bulk = await readToChange(caller, bulkId);
  if (bulk.state === 'paused') return bulk;
  const pause = { code: 'REQUESTED', message } as const;
  const set = { state: 'paused', pause, removeAt: plusMs(at, bulkLifeMs.ended) };
  // Without its due work, no worker continues. The one that sends at this moment is refused by its next transaction.
  return await move(bulk, ['sending'], { set, unset: ['due.send'] }, at);
}

/**
 * Resumes a paused bulk. `acceptNewPrice`: letters may cost more than when the bulk was confirmed. A repeat answers the
 * same. Throws CONFLICT when it is not paused.
 */
export async function resumeSending(
  caller: Caller,
  bulkId: string,
  { acceptNewPrice }: { acceptNewPrice: boolean },
  { hints }: Deps,
  at: Date,
): Promise<BulkRecord> {
  const bulk = await readToChange(caller, bulkId);
  if (bulk.state === 'sending') return bulk;
  if (bulk.state === 'paused') await keepBulkUploads(bulk, at);
  const accepts = acceptNewPrice || bulk.acceptsNewPrice;
  const set = { state: 'sending', pause: null, acceptsNewPrice: accepts, 'due.send': newDue(at), ...grantOf(caller) };
  const unset = caller.actor.grantId === undefined ? ['grantId'] : [];
  const resumed = await move(bulk, ['paused'], { set, unset }, at);
  hints.notify(bulkSendWork.queue, [bulkId]);
  return resumed;
}

/**
 * Cancels a bulk: no further row is sent, and its letters that are not yet in a batch are cancelled in the background,
 * with refunds. A repeat answers the same. Throws CONFLICT for a bulk that failed, and for one without letters that is
 * sent.
 */
export async function cancelBulk(caller: Caller, bulkId: string, { hints }: Deps, at: Date): Promise<BulkRecord> {
  const bulk = await readToChange(caller, bulkId);
  if (bulk.state === 'cancelled') return bulk;
  const { confirmedAt } = bulk;
  const set = {
    ...{ state: 'cancelled', cancelledBy: caller.actor, completedAt: at },
    removeAt: plusMs(at, confirmedAt === null ? strayRowsMs : bulkLifeMs.ended),
    ...(confirmedAt !== null && { doneUpTo: `${bulkId}:`, 'due.send': newDue(at) }),
  };
  // Only as it was read: once it is confirmed it may have letters, which a worker must cancel.
  const change = { set, unset: ['due.check'], onlyIf: { confirmedAt } };
  const from = [...unfinishedStates, ...(confirmedAt === null ? [] : (['sent'] as const))];
  try {
    const cancelled = await move(bulk, from, change, at, (session) =>
      audit('bulk.cancelled', caller, bulkId, { sent: bulk.progress.sent }, at, session),
    );
    if (confirmedAt === null) await removeRows(bulkId);
    await releaseBulkUploads(cancelled, at, confirmedAt === null ? undefined : cancelled.removeAt);
    if (confirmedAt !== null) hints.notify(bulkSendWork.queue, [bulkId]);
    return cancelled;
  } catch (error) {
    if (!hasCode(error, 'CONFLICT')) throw error;
    // Two requests at once: the other one has cancelled it, or confirmed it, which happens once.
    const latest = await readBulk(caller, bulkId);
    if (latest.state === 'cancelled') return latest;
    if (confirmedAt !== null || latest.confirmedAt === null) throw error;
    return await cancelBulk(caller, bulkId, { hints }, at);
  }
}

export type ColumnChoice = {
  /** Undefined: as it was. Null: guessed again. */
  mapping?: NamedMapping | null | undefined;
  /** Undefined: as they were. */
  ignoredColumns?: string[] | undefined;
  /** The file is read again so. Undefined: it is not. */
  reading?: Reading | undefined;
};

/**
 * Checks the rows again with other columns, or reads the file again in another way. Throws VALIDATION_ERROR for columns or a sheet that the file does not have, and CONFLICT
 * once the bulk is confirmed or while its file is read.
 */
export async function mapColumns(
  caller: Reader,
  bulkId: string,
  { mapping, ignoredColumns, reading }: ColumnChoice,
  { hints }: Deps,
  at: Date,
): Promise<BulkRecord> {
  const bulk = await readToChange(caller, bulkId);
  for (const [field, columns] of Object.entries({ ...mapping?.fields, ignoredColumns: ignoredColumns ?? [] })) {
    // Read again, the file may have another heading.
    const isKnownHeader = bulk.format !== null && !reading;
    const unknown = columns.find((column) => isKnownHeader && !bulk.header.includes(column));
    if (unknown !== undefined) throw invalid([field], 'The file has no column of this name.');
  }
  const { sheets = [] } = bulk.format ?? {};
  if (reading?.sheet !== undefined && sheets.every(({ name }) => name !== reading.sheet)) {
    throw invalid(['reading', 'sheet'], 'The file has no sheet of this name. Choose one of `format.choices.sheets`.');
  }
  const isKnown = ([name]: [string, string]) => bulk.templateVariables?.includes(name) ?? false;
  const variables = mapping?.variables && Object.fromEntries(Object.entries(mapping.variables).filter(isKnown));
  const set = {
    ...{ state: 'validating', 'due.check': newDue(at) },
    ...(mapping !== undefined && { wantedMapping: mapping && { ...mapping, ...(variables && { variables }) } }),
    ...(ignoredColumns && { ignoredColumns }),
    ...(reading && { reading, format: null }),
  };
  const mapped = await move(
    bulk,
    ['needs_mapping', 'needs_attention', 'ready'],
    { set, increment: { revision: 1 } },
    at,
  );
  hints.notify(bulkCheckWork.queue, [bulkId]);
  return mapped;
}

type Change = { set: object; unset?: readonly string[]; increment?: Record<string, number>; onlyIf?: object };

async function move(
  { _id, organizationId, mode }: BulkRecord,
  from: readonly BulkState[],
  { set, unset = [], increment, onlyIf = {} }: Change,
  at: Date,
  alongside: (session: Transaction) => Promise<void> = async () => {},
): Promise<BulkRecord> {
  const update = {
    $set: { ...set, updatedAt: at },
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((path) => [path, ''])) }),
    ...(increment && { $inc: increment }),
  };
  return await inTransaction(async (session) => {
    const own = { _id, organizationId, mode };
    const asRead = { ...own, ...onlyIf, state: { $in: [...from] } };
    const options = { session, returnDocument: 'after' } as const;
    const changed = await Bulk.findOneAndUpdate(asRead, update, options).lean<BulkRecord>();
    if (changed) {
      await alongside(session);
      return changed;
    }
    throw refusal(await Bulk.findOne(own).session(session).orFail(notFound).lean<BulkRecord>(), 'be changed so');
  });
}

function refusal({ state, counts }: BulkRecord, what: string): AppError {
  const rows = counts.faulty === 1 ? 'One of its rows has faults.' : `${counts.faulty} of its rows have faults.`;
  const faults = state === 'needs_attention' ? ` ${rows}` : '';
  return conflict(`The bulk cannot ${what}: it is ${state}.${faults}`);
}

async function audit(
  action: 'bulk.confirmed' | 'bulk.cancelled',
  { organizationId, mode, actor }: Caller,
  subjectId: string,
  detail: Record<string, number>,
  at: Date,
  session: Transaction,
): Promise<void> {
  await recordAudit({ action, subjectId, organizationId, mode, detail }, actor, at, session);
}
