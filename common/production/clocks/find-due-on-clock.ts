import { plusMs } from '#common/clock.ts';
import { clockStepIndex, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { findLastRetry, sendRetries } from '#common/webhooks/deliveries/follow-clock.ts';
import { type RetentionRules, redactPeople, removePrintFile } from '../retention/retain.ts';
import type { ClockDeps } from './clock-deps.ts';
import { takeSteps } from './take-steps.ts';

/** What falls due at one time on a clock. `run` carries out some of it, and can be repeated. */
export type DueOnClock = { at: Date; run(deps: ClockDeps): Promise<void> };

const dayMs = 24 * 60 * 60 * 1000;

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
  const addressMs = (addressDays ?? 0) * dayMs;
  const [stepAt, fileAt, settledAt] = await Promise.all([
    findFirstTime(clockId, 'stepAt', target),
    findFirstTime(clockId, 'removeFileAt', target),
    addressDays === null ? null : findFirstTime(clockId, 'settledAt', plusMs(target, -addressMs)),
  ]);
  const found: DueOnClock[] = [];
  if (stepAt) {
    found.push({
      at: stepAt,
      run: async (deps) =>
        await takeSteps(withinCopies(await findLetters(clockId, 'stepAt', stepAt, stepsAtOnce.letters)), stepAt, deps),
    });
  }
  if (fileAt) {
    const letters = () => findLetters(clockId, 'removeFileAt', fileAt, removalsAtOnce);
    found.push({ at: fileAt, run: (deps) => forEach(letters, (job) => removePrintFile(job, deps, fileAt)) });
  }
  if (settledAt) {
    const at = plusMs(settledAt, addressMs);
    const letters = () => findLetters(clockId, 'settledAt', settledAt, removalsAtOnce);
    found.push({ at, run: ({ clock }) => forEach(letters, (letter) => redactPeople(letter, at, clock.now())) });
  }
  const first = found.sort((left, right) => left.at.getTime() - right.at.getTime())[0] ?? null;
  const retryAt = await findLastRetry(clockId, first?.at ?? target);
  if (!retryAt) return first;
  return { at: retryAt, run: ({ clock, hints }) => sendRetries(clockId, retryAt, { hints }, clock.now()) };
}

type ClockTime = 'stepAt' | 'removeFileAt' | 'settledAt';

const indexOf = (time: ClockTime): Record<string, 1> =>
  time === 'stepAt' ? clockStepIndex : { 'clock.id': 1, [`clock.${time}`]: 1 };

async function findFirstTime(clockId: string, time: ClockTime, until: Date): Promise<Date | null> {
  const path = `clock.${time}`;
  const first = await rowsOf<MailJobRecord>(MailJob).findOne(
    { 'clock.id': clockId, [path]: { $lte: until } } as object,
    { sort: { [path]: 1 }, hint: indexOf(time), projection: { clock: 1 } },
  );
  return first?.clock?.[time] ?? null;
}

async function findLetters(clockId: string, time: ClockTime, at: Date, limit: number): Promise<MailJobRecord[]> {
  const due = { 'clock.id': clockId, [`clock.${time}`]: at } as object;
  return await rowsOf<MailJobRecord>(MailJob).find(due).hint(indexOf(time)).limit(limit).toArray();
}

/** Returns the first of these letters, and as many of the next as are within the limit of copies. */
function withinCopies(jobs: readonly MailJobRecord[]): MailJobRecord[] {
  let copies = 0;
  return jobs.filter(({ items }, index) => {
    copies += items.length;
    return index === 0 || copies <= stepsAtOnce.copies;
  });
}

/** Runs something for letters at the same time. Throws the first error after all have ended. */
async function forEach(
  findJobs: () => Promise<readonly MailJobRecord[]>,
  run: (job: MailJobRecord) => Promise<unknown>,
): Promise<void> {
  const results = await Promise.allSettled((await findJobs()).map(run));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
