import { type HistoryRecord, ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob, type MailJobRecord, trackingIndex } from '#common/mail-jobs/model/mail-job.model.ts';
import { findRows, updateRows } from '#common/platform/mongo/mongo.ts';
import type { Projected } from '#common/platform/mongo/projected.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import type { Zone } from '#common/services.ts';
import { levelsOf, type RangeLevel, readUnclosedRanges } from './range-levels.ts';
import { isReusable } from './reusable-from.ts';
import { formatS10 } from './s10-number.ts';
import { TrackingRange, type TrackingRangeRecord } from './tracking-range.model.ts';

/** Numbers that are looked up at once. */
const windowSize = 500;
/** Steps of items that have had one of these numbers: a few each. */
const maxSteps = 10 * windowSize;

/** Which ranges numbers come from. Default: all that are not closed. */
export type RangeFilter = {
  indicator?: string | undefined;
  country?: string | undefined;
  /** Only those that are assigned automatically to letters of this zone. */
  automaticZone?: Zone | undefined;
};

type TakenNumber = { number: string; rangeId: string };
type TakenNumbers = {
  /** Fewer than asked for when the ranges end. */
  numbers: TakenNumber[];
  /** What is left of the indicators and countries that have fewer numbers than the limit since this transaction. */
  newlyLow: RangeLevel[];
};

/**
 * Takes the next numbers from the oldest ranges, in the transaction that assigns them: if that is rolled back, they are
 * the next ones again. Skips numbers that an item has, unless it got them more than 24 months ago: then they are released
 * from it. Concurrent transactions conflict, so no number is given twice.
 */
export async function takeNumbers(
  transaction: Transaction,
  { count, at, ...filter }: RangeFilter & { count: number; at: Date },
): Promise<TakenNumbers> {
  const ranges = await readUnclosedRanges(transaction);
  const changed = new Map<string, TrackingRangeRecord>();
  const numbers: TakenNumber[] = [];
  for (const range of ranges.filter((each) => isWanted(each, filter))) {
    if (numbers.length >= count) break;
    const taken = await takeFrom(range, { count: count - numbers.length, at }, transaction);
    numbers.push(...taken.numbers.map((number) => ({ number, rangeId: range._id })));
    const lastAssignedAt = taken.numbers.length > 0 ? at : range.lastAssignedAt;
    changed.set(range._id, { ...range, nextSerial: taken.nextSerial, lastAssignedAt });
  }
  const changes = [...changed.values()].map(({ _id, nextSerial, lastAssignedAt }) => {
    return { filter: { _id, closedAt: null }, change: { $set: { nextSerial, lastAssignedAt } } };
  });
  if (changes.length > 0 && (await updateRows(TrackingRange, changes, transaction)) !== changes.length) {
    throw new Error('A range changed since its transaction read it');
  }
  const before = levelsOf(ranges);
  const after = levelsOf(ranges.map((range) => changed.get(range._id) ?? range));
  return { numbers, newlyLow: after.filter(({ isLow }, index) => isLow && !before[index]?.isLow) };
}

function isWanted(range: TrackingRangeRecord, { indicator, country, automaticZone }: RangeFilter): boolean {
  if (range.nextSerial > range.lastSerial) return false;
  if (indicator !== undefined && range.indicator !== indicator) return false;
  if (country !== undefined && range.country !== country) return false;
  return automaticZone === undefined || range.automaticZones.includes(automaticZone);
}

async function takeFrom(
  range: TrackingRangeRecord,
  { count, at }: { count: number; at: Date },
  transaction: Transaction,
): Promise<{ numbers: string[]; nextSerial: number }> {
  const numbers: string[] = [];
  let { nextSerial } = range;
  while (numbers.length < count && nextSerial <= range.lastSerial) {
    const size = Math.min(Math.max(count, windowSize), range.lastSerial - nextSerial + 1);
    const candidates = Array.from({ length: size }, (_, index) => formatS10(range, nextSerial + index));
    const inUse = await findInUse(candidates, at, transaction);
    for (const number of candidates) {
      if (numbers.length >= count) break;
      nextSerial += 1;
      if (inUse.kept.has(number)) continue;
      numbers.push(number);
    }
    await release(inUse.holders, new Set(numbers), transaction);
  }
  return { numbers, nextSerial };
}

const holderFields = { organizationId: 1, createdAt: 1, trackingNumbers: 1 } as const;
type Holder = Projected<MailJobRecord, typeof holderFields> & { trackingNumbers: string[] };

/** Returns which numbers items have and keep, and the letters of those that may be used again. */
async function findInUse(
  numbers: readonly string[],
  at: Date,
  session: Transaction,
): Promise<{ kept: Set<string>; holders: Holder[] }> {
  const options = { projection: holderFields, hint: trackingIndex, limit: numbers.length, session };
  const found = (await findRows(MailJob, { trackingNumbers: { $in: numbers } }, options)) as Holder[];
  const asked = new Set(numbers);
  const kept = new Set(found.flatMap(({ trackingNumbers }) => trackingNumbers.filter((number) => asked.has(number))));
  // No item has its number for longer than its letter exists.
  const holders = found.filter(({ createdAt }) => isReusable(createdAt, at));
  if (holders.length === 0) return { kept, holders };
  for (const [number, assignedAt] of await findAssignments(holders, kept, session)) {
    if (isReusable(assignedAt, at)) kept.delete(number);
  }
  return { kept, holders };
}

/** Returns when the numbers were assigned last to items of these letters. */
async function findAssignments(
  holders: readonly Holder[],
  numbers: ReadonlySet<string>,
  session: Transaction,
): Promise<Map<string, Date>> {
  const filter = {
    organizationId: { $in: [...new Set(holders.map(({ organizationId }) => organizationId))] },
    mailJobId: { $in: holders.map(({ _id }) => _id) },
    kind: 'tracked',
    'detail.number': { $in: [...numbers] },
  };
  const steps = await findRows<HistoryRecord>(ItemHistory, filter, { limit: maxSteps, session });
  const latest = new Map<string, Date>();
  for (const { detail, at } of steps.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    latest.set(String(detail.number), at);
  }
  return latest;
}

/** Removes numbers from letters of years ago. The items keep showing them, but the unique index has them no more. */
async function release(
  holders: readonly Holder[],
  taken: ReadonlySet<string>,
  transaction: Transaction,
): Promise<void> {
  const changes = holders.flatMap(({ _id, organizationId, trackingNumbers }) => {
    const rest = trackingNumbers.filter((number) => !taken.has(number));
    if (rest.length === trackingNumbers.length) return [];
    const change = rest.length > 0 ? { $set: { trackingNumbers: rest } } : { $unset: { trackingNumbers: '' } };
    return { filter: { _id, organizationId }, change };
  });
  if (changes.length > 0) await updateRows(MailJob, changes, transaction);
}
