import { z } from 'zod';
import {
  assignToBatch,
  assignToItem,
  type BatchAssigned,
  noNumbersLeft,
} from '#common/production/tracking/assign-numbers.ts';
import {
  addTrackingRange,
  closeTrackingRange,
  countLeft,
  skipTrackingNumbers,
} from '#common/production/tracking/manage-ranges.ts';
import {
  fewNumbers,
  levelsOf,
  listTrackingRanges,
  type RangeLevel,
  readRangeLevels,
} from '#common/production/tracking/range-levels.ts';
import { formatS10 } from '#common/production/tracking/s10-number.ts';
import type { TrackingRangeRecord } from '#common/production/tracking/tracking-range.model.ts';
import { zones } from '#common/services.ts';
import { argument, defineCommand, option } from '../command.ts';
import { idOf, someOf } from '../option.schema.ts';

const serial = z
  .string()
  .regex(/^\d{8}$/, 'Must be eight digits: the number without its letters and without its check digit.')
  .transform(Number);
const capitals = z.string().transform((text) => text.toUpperCase());

function toShown(range: TrackingRangeRecord) {
  const { _id: rangeId, firstSerial, lastSerial, automaticZones, note, addedAt, lastAssignedAt, closedAt } = range;
  const left = countLeft(range);
  return {
    rangeId,
    firstNumber: formatS10(range, firstSerial),
    lastNumber: formatS10(range, lastSerial),
    nextNumber: left > 0 ? formatS10(range, range.nextSerial) : null,
    left,
    ...{ automaticZones, note, addedAt, lastAssignedAt, closedAt },
  };
}

/** Returns a line for each indicator and country with few numbers left. */
function warnAbout(levels: readonly RangeLevel[]): string[] {
  return levels
    .filter(({ isLow }) => isLow)
    .map(({ indicator, country, left }) => {
      return `Warning: ${left} numbers are left of ${indicator} ${country}, fewer than ${fewNumbers}. Buy a further range.`;
    });
}

const addRange = defineCommand({
  name: 'tracking add-range',
  summary: 'add a range of S10 numbers that a carrier sold to you',
  fields: {
    indicator: option('--indicator <letters>', 'the first two letters of the numbers: RA to RZ, VA to VZ', capitals),
    firstSerial: option('--first-serial <digits>', 'the eight digits of the first number', serial),
    lastSerial: option('--last-serial <digits>', 'the eight digits of the last number', serial),
    country: option(
      '--country <letters>',
      'the last two letters of the numbers; BE by default',
      capitals.default('BE'),
    ),
    automatic: option(
      '--automatic <zones>',
      `assign its numbers when a batch of these zones closes: ${zones.join(',')}`,
      someOf(zones).optional(),
    ),
    note: option('--note <text>', 'where the numbers come from, without names', z.string().max(200).optional()),
  },

  async run({ indicator, firstSerial, lastSerial, country, automatic = [], note = null }, { clock, actor }) {
    const range = { indicator, country, firstSerial, lastSerial, automaticZones: [...new Set(automatic)], note };
    return toShown(await addTrackingRange(range, actor, clock.now()));
  },
  describe: ({ rangeId, firstNumber, lastNumber, left }) =>
    `${rangeId} has ${left} numbers, from ${firstNumber} to ${lastNumber}.`,
});

const listRanges = defineCommand({
  name: 'tracking ranges',
  summary: 'list the ranges of S10 numbers, with how many numbers are left',
  fields: {},

  async run() {
    const ranges = await listTrackingRanges();
    return { ranges: ranges.map(toShown), levels: levelsOf(ranges) };
  },
  describe({ ranges, levels }) {
    if (ranges.length === 0) return 'There is no range. Add one with: tracking add-range';
    const lines = ranges.map(({ rangeId, firstNumber, lastNumber, left, automaticZones, note, closedAt }) => {
      const state = closedAt === null ? `${left} left` : `closed ${closedAt.toISOString().slice(0, 10)}`;
      const use = automaticZones.length > 0 ? [`automatic ${automaticZones.join(',')}`] : [];
      return [rangeId, `${firstNumber} to ${lastNumber}`, state, ...use, ...(note === null ? [] : [note])].join('  ');
    });
    return [...lines, ...warnAbout(levels)].join('\n');
  },
});

const closeRange = defineCommand({
  name: 'tracking close-range',
  summary: 'close a range of S10 numbers: no more are taken from it',
  fields: { rangeId: argument('the range, such as RR-BE-1', capitals) },

  async run({ rangeId }, { clock, actor }) {
    return { rangeId, isChanged: await closeTrackingRange(rangeId, actor, clock.now()) };
  },
  describe: ({ rangeId, isChanged }) => `${rangeId} is closed${isChanged ? '' : ' already'}.`,
});

const skipNumbers = defineCommand({
  name: 'tracking skip',
  summary: 'let a range continue with a later number, after a restore: those before it may be on letters',
  fields: {
    rangeId: argument('the range, such as RR-BE-1', capitals),
    nextSerial: option('--next-serial <digits>', 'the eight digits of the next number that it gives', serial),
  },

  async run({ rangeId, nextSerial }, { clock, actor }) {
    return { rangeId, skipped: await skipTrackingNumbers({ rangeId, nextSerial }, actor, clock.now()) };
  },
  describe: ({ rangeId, skipped }) => `${rangeId} leaves out ${skipped} numbers.`,
});

const assign = defineCommand({
  name: 'tracking assign',
  summary: 'give the registered items of a batch, or one item, the next numbers of the ranges',
  fields: {
    batchId: argument('the batch; leave it out for --item', idOf('bat').optional()),
    item: option('--item <id>', 'one item instead of a batch', idOf('mi').optional()),
    indicator: option('--indicator <letters>', 'take numbers of this indicator only', capitals.optional()),
    country: option('--country <letters>', 'take numbers of this country only', capitals.optional()),
  },
  check: ({ batchId, item }) => ({
    batchId: (batchId === undefined) === (item === undefined) ? 'Name either a batch or an item, by --item.' : null,
  }),

  async run({ batchId, item, indicator, country }, { clock, actor: by, log }) {
    const context = { from: { indicator, country }, by, toldBy: 'operator', clock, log } as const;
    if (batchId !== undefined) {
      const outcome = await assignToBatch(batchId, context);
      return { batchId, ...outcome, levels: await readRangeLevels() };
    }
    const { itemId, number, isNew } = await assignToItem(item ?? '', context);
    return { itemId, number, isNew, levels: await readRangeLevels() };
  },
  describe(result) {
    const text =
      'itemId' in result
        ? `${result.itemId} has ${result.number}${result.isNew ? '' : ' already'}.`
        : describeBatch(result.batchId, result);
    return [text, ...warnAbout(result.levels)].join('\n');
  },
});

function describeBatch(batchId: string, { assigned, missingCount }: BatchAssigned): string {
  if (assigned.length === 0 && missingCount === 0) {
    return `No item of ${batchId} needs a number: each has one, has failed or is posted.`;
  }
  const spans = describeSpans(assigned.map(({ number }) => number));
  const done = `${assigned.length} items of ${batchId} got a number${spans}.`;
  if (missingCount === 0) return done;
  return `${done}\n${missingCount} items still have none. ${noNumbersLeft}, then run this again.`;
}

/** Names the first and the last number of each indicator and country. */
function describeSpans(numbers: readonly string[]): string {
  const ofOneKind = Map.groupBy(numbers, (number) => `${number.slice(0, 2)}${number.slice(-2)}`);
  return [...ofOneKind.values()].map((each) => `, from ${each[0]} to ${each.at(-1)}`).join('');
}

export const trackingRangeCommands = [addRange, listRanges, assign, closeRange, skipNumbers];
