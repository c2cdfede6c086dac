import { type Clock, dayMs, plusMs } from '#common/clock.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import {
  type RetainDeps,
  type RetentionRules,
  redactPeople,
  removePrintFile,
} from '#common/production/retention/retain.ts';
import { clockStepIndex } from '../clocks/letter-clock.schema.ts';
import { findLastRetry, sendRetries } from './clock-retries.ts';
import { takeClockSteps } from './take-clock-steps.ts';

export type DueDeps = RetainDeps & { clock: Clock; hints: Hints };

/** What falls due at one time on a clock. `run` carries out some of it, and can be repeated. */
type DueOnClock = { at: Date; run(deps: DueDeps): Promise<void> };

type Moment = 'stepAt' | 'removeFileAt' | 'settledAt';
/** What happens to letters whose moment has come. */
type Run = (jobs: readonly MailJobRecord[], at: Date, deps: DueDeps) => Promise<void>;

/**
 * Letters whose steps are taken in one transaction, and their copies, unless the first letter alone has more. A step
 * writes three rows, a return five, and a transaction should write 1,000 at most.
 */
const stepsAtOnce = { letters: 100, copies: 150 } as const;
/** Letters whose files or recipients are removed at the same time. */
const removalsAtOnce = 20;

/**
 * Returns what falls due first on the letters of a clock, until `target`; null when nothing does. The retries of their
 * webhooks before that fall due together, at the time of the last of them.
 */
export async function findDueOnClock(
  clockId: string,
  target: Date,
  { addressDays }: RetentionRules,
): Promise<DueOnClock | null> {
  const find = async (
    moment: Moment,
    run: Run,
    { afterMs = 0, limit = removalsAtOnce } = {},
  ): Promise<DueOnClock[]> => {
    const path = `clock.${moment}`;
    const hint = moment === 'stepAt' ? clockStepIndex : { 'clock.id': 1, [path]: 1 };
    const letters = (which: object) =>
      rowsOf<MailJobRecord>(MailJob)
        .find({ 'clock.id': clockId, [path]: which } as object)
        .hint(hint);
    const first = await letters({ $lte: plusMs(target, -afterMs) })
      .project({ at: `$${path}` })
      .sort({ [path]: 1 })
      .limit(1)
      .next();
    if (!first) return [];
    const at = plusMs(first.at, afterMs);
    return [{ at, run: async (deps) => await run(await letters(first.at).limit(limit).toArray(), at, deps) }];
  };
  const found = await Promise.all([
    find('stepAt', (jobs, at, deps) => takeClockSteps(withinCopies(jobs), at, deps), { limit: stepsAtOnce.letters }),
    find('removeFileAt', (jobs, at, deps) => allOf(jobs.map((job) => removePrintFile(job, deps, at)))),
    addressDays === null
      ? []
      : find('settledAt', (jobs, at, { clock }) => allOf(jobs.map((job) => redactPeople(job, at, clock.now()))), {
          afterMs: addressDays * dayMs,
        }),
  ]);
  const [first = null] = found.flat().sort((left, right) => left.at.getTime() - right.at.getTime());
  const retryAt = await findLastRetry(clockId, first?.at ?? target);
  if (!retryAt) return first;
  return { at: retryAt, run: ({ clock, hints }) => sendRetries(clockId, retryAt, { hints }, clock.now()) };
}

/** Returns the first of these letters, and as many of the next as are within the limit of copies. */
function withinCopies(jobs: readonly MailJobRecord[]): MailJobRecord[] {
  let copies = 0;
  return jobs.filter(({ items }, index) => {
    copies += items.length;
    return index === 0 || copies <= stepsAtOnce.copies;
  });
}

/** Throws the first error after all have ended. */
async function allOf(running: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(running)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
