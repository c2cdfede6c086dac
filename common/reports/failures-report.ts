import type { Failure } from '#common/mail-jobs/model/failure.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { letterIndex, matchLetters, readReport, reportLimitMs } from './match-letters.ts';
import type { ReportPeriod } from './report-period.ts';

export type FailureReason = Failure['code'];
export type FailuresReport = { data: { reason: FailureReason; letters: number }[]; totals: { letters: number } };

/**
 * Counts the failed letters that were created in the period by reason, the most frequent first. Reads failed letters only.
 * Throws SERVICE_UNAVAILABLE when it takes longer than 8 s, and
 * RATE_LIMITED when many reports wait.
 */
export async function readFailuresReport(owner: Owner, period: ReportPeriod): Promise<FailuresReport> {
  const data = await readReport(owner, () =>
    MailJob.aggregate<{ reason: FailureReason; letters: number }>(
      [
        matchLetters(owner, period, ['failed']),
        { $group: { _id: '$failure.code', letters: { $sum: 1 } } },
        { $sort: { letters: -1, _id: 1 } },
        { $project: { _id: 0, reason: '$_id', letters: 1 } },
      ],
      { maxTimeMS: reportLimitMs },
    ).hint(letterIndex),
  );
  return { data, totals: { letters: data.reduce((sum, { letters }) => sum + letters, 0) } };
}
