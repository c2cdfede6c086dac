import { firstIdAt } from '#common/ids.ts';
import { type MailStatus, mailStatuses } from '#common/mail-jobs/model/lifecycle.ts';
import { mailListIndexes } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { withinTime } from '#common/platform/mongo/within-time.ts';
import { serviceTypes, zones } from '#common/pricing/tariff.schema.ts';
import { type ReportPeriod, wholeOf } from './report-period.ts';

/** The index of reports about letters. Every field has a condition, so it is read only within the range of ids. */
export const letterIndex = mailListIndexes.kind;

/**
 * Stops a report that would occupy the database for long. On two busy cores, a year of 100,000 letters by day took 1.4 to
 * 3.3 s per report, and 30 days of them (8,000 letters) at most 0.3 s.
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

/** Awaits the query of a report. Throws SERVICE_UNAVAILABLE when it exceeds its time. */
export async function readReport<T>(query: PromiseLike<T>): Promise<T> {
  return await withinTime(query, 'The report takes too long. Ask for a shorter period, or try again later.');
}
