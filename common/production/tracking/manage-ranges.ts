import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError, conflict, invalid } from '#common/errors.ts';
import { findRow, findRows, insertRows, rowsOf, updateRows } from '#common/platform/mongo/mongo.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { dayOf, isReusable, reusableFrom } from './reusable-from.ts';
import { formatSerial, maxSerial } from './s10-number.ts';
import { TrackingRange, type TrackingRangeRecord } from './tracking-range.model.ts';

/** Registered letters (RA to RZ) and insured ones (VA to VZ): the service indicators of UPU standard S10. */
const indicatorPattern = /^[RV][A-Z]$/;
const countryPattern = /^[A-Z]{2}$/;
/** A range replaces one of years ago, so few overlap. */
const maxOverlapping = 1_000;

export type NewTrackingRange = Pick<
  TrackingRangeRecord,
  'indicator' | 'country' | 'firstSerial' | 'lastSerial' | 'automaticZones' | 'note'
>;

/**
 * Adds a range of tracking numbers. Throws VALIDATION_ERROR for a range that UPU standard S10 does not allow, and
 * CONFLICT for one that overlaps an earlier range of the same indicator and country. It may overlap a range that gives no
 * more numbers and whose last one was assigned more than 24 months ago, or that was closed before any was.
 */
export async function addTrackingRange(
  range: NewTrackingRange,
  by: AuditActor | undefined,
  at: Date,
): Promise<TrackingRangeRecord> {
  requireS10(range);
  const { indicator, country, firstSerial, lastSerial } = range;

  async function add(transaction: Transaction): Promise<TrackingRangeRecord> {
    await requireFree(range, at, transaction);
    const earlier = await rowsOf(TrackingRange).countDocuments({ indicator, country }, { session: transaction });
    const row: TrackingRangeRecord = {
      ...{ _id: `${indicator}-${country}-${earlier + 1}`, ...range, nextSerial: firstSerial },
      ...{ addedAt: at, lastAssignedAt: null, closedAt: null },
    };
    await insertRows(TrackingRange, [row], transaction);
    const detail = { firstSerial: formatSerial(firstSerial), lastSerial: formatSerial(lastSerial) };
    await recordAudit(
      { action: 'tracking-range.added', subjectId: row._id, mode: 'live', detail },
      by,
      at,
      transaction,
    );
    return row;
  }

  const isStored = (transaction: Transaction, { _id }: TrackingRangeRecord) =>
    isInserted(transaction, TrackingRange, _id);
  return await retryOnDuplicateKey(() => inTransaction(add, { isStored }));
}

function requireS10({ indicator, country, firstSerial, lastSerial }: NewTrackingRange): void {
  if (!indicatorPattern.test(indicator))
    throw invalid(['indicator'], 'Must be RA to RZ, or VA to VZ for insured letters.');
  if (!countryPattern.test(country)) throw invalid(['country'], 'Must be two capital letters, such as BE.');
  const isSerial = (serial: number) => Number.isInteger(serial) && serial >= 0 && serial <= maxSerial;
  if (!isSerial(firstSerial)) throw invalid(['firstSerial'], 'Must be a number of at most eight digits.');
  if (!isSerial(lastSerial)) throw invalid(['lastSerial'], 'Must be a number of at most eight digits.');
  if (lastSerial < firstSerial) throw invalid(['lastSerial'], 'Must not be before the first number.');
}

async function requireFree(range: NewTrackingRange, at: Date, session: Transaction): Promise<void> {
  const { indicator, country } = range;
  const overlaps = { firstSerial: { $lte: range.lastSerial }, lastSerial: { $gte: range.firstSerial } };
  const filter = { indicator, country, ...overlaps };
  const found = await findRows<TrackingRangeRecord>(TrackingRange, filter, { limit: maxOverlapping, session });
  const open = found.find(isOpen);
  if (open) throw conflict(`The range overlaps ${nameOf(open)}, which still gives numbers. ${adviceFor(open)}`);
  const [latest] = found
    .filter(({ lastAssignedAt }) => lastAssignedAt !== null && !isReusable(lastAssignedAt, at))
    .sort((one, other) => timeOf(other) - timeOf(one));
  if (!latest?.lastAssignedAt) return;
  throw conflict(
    `The range overlaps ${nameOf(latest)}, whose last number was assigned on ${dayOf(latest.lastAssignedAt)}. A number ` +
      `of UPU standard S10 is not used again within 24 months: this is possible from ${reusableFrom(latest.lastAssignedAt)} on.`,
  );
}

const timeOf = ({ lastAssignedAt }: TrackingRangeRecord) => lastAssignedAt?.getTime() ?? 0;

function nameOf({ _id, firstSerial, lastSerial }: TrackingRangeRecord): string {
  return `${_id} (${formatSerial(firstSerial)} to ${formatSerial(lastSerial)})`;
}

/** Says what to do about a range that still gives numbers. The new range is as likely to be the mistyped one. */
function adviceFor({ _id, lastAssignedAt }: TrackingRangeRecord): string {
  if (lastAssignedAt === null) {
    return `It has given none so far: if it is the wrong one, close it (tracking close-range ${_id}), and add this one again.`;
  }
  return (
    `Close it only if you give up the numbers that it has left: they can be used again from the day after 24 months, ` +
    `counted from its last assigned number (so far on ${dayOf(lastAssignedAt)}).`
  );
}

/** Returns whether a range gives numbers: it is not closed, and some are left. */
function isOpen({ closedAt, nextSerial, lastSerial }: TrackingRangeRecord): boolean {
  return closedAt === null && nextSerial <= lastSerial;
}

/** Closes a range: it gives no more numbers. Returns false for one that is closed already. Throws NOT_FOUND. */
export async function closeTrackingRange(rangeId: string, by: AuditActor | undefined, at: Date): Promise<boolean> {
  async function close(transaction: Transaction): Promise<boolean> {
    const range = await findRow<TrackingRangeRecord>(TrackingRange, { _id: rangeId }, { session: transaction });
    if (!range) throw new AppError('NOT_FOUND', { message: `There is no range ${rangeId}.` });
    if (range.closedAt !== null) return false;
    const change = { filter: { _id: rangeId, closedAt: null }, change: { $set: { closedAt: at } } };
    if ((await updateRows(TrackingRange, [change], transaction)) !== 1) throw new Error('A range vanished');
    const detail = { unusedNumbers: countLeft(range) };
    const entry = { action: 'tracking-range.closed', subjectId: rangeId, mode: 'live', detail } as const;
    await recordAudit(entry, by, at, transaction);
    return true;
  }
  // Only closing sets the time, and a repeat of it is harmless.
  const isStored = async (session: Transaction, isChanged: boolean) =>
    !isChanged || (await findRow(TrackingRange, { _id: rangeId, closedAt: at }, { session })) !== null;
  return await inTransaction(close, { isStored });
}

/**
 * Lets a range continue with a later number, after a restore: those before it may have been given since the backup. Returns
 * how many it leaves out. Throws NOT_FOUND, and CONFLICT for a closed range and for a number that is not in the rest of it.
 */
export async function skipTrackingNumbers(
  { rangeId, nextSerial }: { rangeId: string; nextSerial: number },
  by: AuditActor | undefined,
  at: Date,
): Promise<number> {
  return await inTransaction(async (session) => {
    const range = await findRow<TrackingRangeRecord>(TrackingRange, { _id: rangeId }, { session });
    if (!range) throw new AppError('NOT_FOUND', { message: `There is no range ${rangeId}.` });
    if (range.closedAt !== null) throw conflict(`${rangeId} is closed: it gives no more numbers.`);
    const skipped = nextSerial - range.nextSerial;
    if (skipped < 1 || nextSerial > range.lastSerial) {
      const rest = `${formatSerial(range.nextSerial)} to ${formatSerial(range.lastSerial)}`;
      throw conflict(`${rangeId} gives ${rest}: name a later one of these, or close the range.`);
    }
    // The last skipped number may have been printed today, so its 24 months start now.
    const change = { $set: { nextSerial, lastAssignedAt: at } };
    await updateRows(TrackingRange, [{ filter: { _id: rangeId, nextSerial: range.nextSerial }, change }], session);
    const detail = { nextSerial: formatSerial(nextSerial), skipped };
    await recordAudit({ action: 'tracking-range.skipped', subjectId: rangeId, mode: 'live', detail }, by, at, session);
    return skipped;
  });
}

/** Returns how many numbers a range still gives: none when it is closed. */
export function countLeft(range: Pick<TrackingRangeRecord, 'closedAt' | 'nextSerial' | 'lastSerial'>): number {
  return range.closedAt === null ? range.lastSerial - range.nextSerial + 1 : 0;
}
