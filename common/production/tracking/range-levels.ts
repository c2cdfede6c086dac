import { findRows } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { countLeft } from './manage-ranges.ts';
import { rangesByAge, TrackingRange, type TrackingRangeRecord } from './tracking-range.model.ts';

/** An operator buys a further range when fewer numbers are left of an indicator and country. */
export const fewNumbers = 500;
/** Ranges that are read at most. Those that are used up are closed by the operator. */
const maxRanges = 1_000;

/** How many numbers all ranges of an indicator and country together still give. */
export type RangeLevel = { indicator: string; country: string; left: number; isLow: boolean };

/** Returns all ranges, those that are not closed first, the oldest first. */
export async function listTrackingRanges(): Promise<TrackingRangeRecord[]> {
  return await findRows<TrackingRangeRecord>(TrackingRange, {}, { sort: rangesByAge, limit: maxRanges });
}

/** Returns the ranges that are not closed, the oldest first. Some may be used up. */
export async function readUnclosedRanges(session?: Transaction): Promise<TrackingRangeRecord[]> {
  const options = { sort: rangesByAge, hint: rangesByAge, limit: maxRanges, ...(session && { session }) };
  return await findRows<TrackingRangeRecord>(TrackingRange, { closedAt: null }, options);
}

/** Returns the levels of the ranges, by indicator and country. Omits levels whose ranges are all closed. */
export function levelsOf(ranges: readonly TrackingRangeRecord[]): RangeLevel[] {
  const unclosed = ranges.filter(({ closedAt }) => closedAt === null);
  const series = Map.groupBy(unclosed, ({ indicator, country }) => `${indicator} ${country}`);
  return [...series.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const left = all.reduce((sum, range) => sum + countLeft(range), 0);
    return { indicator: first.indicator, country: first.country, left, isLow: left < fewNumbers };
  });
}

/** Reads how many numbers are left, by indicator and country. */
export async function readRangeLevels(): Promise<RangeLevel[]> {
  return levelsOf(await readUnclosedRanges());
}
