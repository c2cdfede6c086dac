import { AppError } from '#common/errors.ts';
import { firstIdAt } from '#common/ids.ts';
import { mailListIndexes } from '#common/mail-jobs/model/mail-job.model.ts';
import { type MailStatus, mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import type { Owner } from '#common/modes.ts';
import { createFairSemaphore, SemaphoreFullError, withPermit } from '#common/platform/concurrency/fair-semaphore.ts';
import { withinTime } from '#common/platform/mongo/within-time.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { type ReportPeriod, wholeOf } from './report-period.ts';

/** The index of reports about letters. Every field has a condition, so it is read only within the range of ids. */
export const letterIndex = mailListIndexes.kind;

/**
 * Stops a report that would occupy the database for long. On two busy cores, a year of 1,000,000 letters by day took 4.4
 * to 5.9 s per report (failures 0.5 s), and more than 8 s while they were not in the memory of the database; 30 days of
 * them (81,000 letters) took at most 1 s.
 */
export const reportLimitMs = 8_000;

/** Returns the stage that finds the letters of an owner that were created in the period. */
export function matchLetters(
  { organizationId, mode }: Owner,
  period: ReportPeriod,
  statuses = mailStatuses as readonly MailStatus[],
) {
  const { startsAt, endsAt } = wholeOf(period);
  return {
    $match: {
      organizationId,
      mode,
      status: { $in: [...statuses] },
      zone: { $in: [...zones] },
      serviceType: { $in: [...serviceTypes] },
      _id: { $gte: firstIdAt('mj', startsAt), $lt: firstIdAt('mj', endsAt) },
    },
  };
}

/** Reports that this process reads at a time, one of an organization, and those that wait. */
const reading = createFairSemaphore({ permits: 2, maxPerGroup: 1, maxWaiting: 32, maxWaitingPerGroup: 8 });

/**
 * Reads a report when it is the turn of its owner, so large reports leave the database to others. Throws
 * SERVICE_UNAVAILABLE when it exceeds its time, and RATE_LIMITED when too many wait.
 */
export async function readReport<T>(owner: Owner, read: () => PromiseLike<T>): Promise<T> {
  const message = 'The report takes too long. Ask for a shorter period, or try again later.';
  return await withPermit(reading, owner, () => withinTime(read(), message)).catch((error: unknown) => {
    if (!(error instanceof SemaphoreFullError)) throw error;
    throw new AppError('RATE_LIMITED', { message: 'Many reports are being read. Try again soon.', retryAfterS: 10 });
  });
}
