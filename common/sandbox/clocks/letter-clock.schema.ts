import * as row from '#common/platform/mongo/row.ts';

/**
 * The test clock of a sandbox letter, and by its time: the next automatic step, the removal of the print file, and since
 * when the letter is settled. These take the places of `due.step`, `printFile.removeAt` and `retention`, so nothing that
 * goes by the wall clock finds such a letter.
 */
export const letterClockField = row.optional(
  row.part({
    id: row.text,
    stepAt: row.optional(row.date),
    removeFileAt: row.optional(row.date),
    settledAt: row.optional(row.date),
  }),
);

/**
 * The test clock of a delivery's mail job, and when its next attempt is due on that clock. An attempt is due by the earlier
 * of both times, so a clock that stands delays none.
 */
export const deliveryClockField = row.optional(row.part({ id: row.text, retryAt: row.optional(row.date) }));

/** Of the indexes below: only rows on a test clock cost a write. */
export const onClock = { partialFilterExpression: { 'clock.id': { $exists: true } } };
export const clockStepIndex = { 'clock.id': 1, 'clock.stepAt': 1, _id: 1 } as const;
export const letterClockIndexes = [
  clockStepIndex,
  { 'clock.id': 1, 'clock.removeFileAt': 1 },
  { 'clock.id': 1, 'clock.settledAt': 1 },
] as const;
export const retriesByClock = { 'clock.id': 1, state: 1, 'clock.retryAt': 1 } as const;
