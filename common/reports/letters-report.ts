import { firstIdAt } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { type MailStatus, mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import type { Owner } from '#common/modes.ts';
import { bucketExpression } from '#common/platform/mongo/bucket-expression.ts';
import { letterIndex, matchLetters, readReport, reportLimitMs } from './match-letters.ts';
import type { ReportPeriod } from './report-period.ts';

/** Letters by the status that they have now. */
export type LetterCounts = Record<MailStatus, number> & { total: number };
export type LettersReport = { data: ({ period: string } & LetterCounts)[]; totals: LetterCounts };

/**
 * Counts the letters that were created in each span, by status. Spans without letters are zero. Reads the index only: the
 * creation time is in the id. Throws SERVICE_UNAVAILABLE when it takes longer than 8 s, and
 * RATE_LIMITED when many reports wait.
 */
export async function readLettersReport(owner: Owner, period: ReportPeriod): Promise<LettersReport> {
  const starts = period.spans.map(({ startsAt }) => firstIdAt('mj', startsAt));
  const groups = await readReport(owner, () =>
    MailJob.aggregate<{ _id: { bucket: number; status: MailStatus }; count: number }>(
      [
        matchLetters(owner, period),
        { $group: { _id: { bucket: bucketExpression('$_id', starts), status: '$status' }, count: { $sum: 1 } } },
      ],
      { maxTimeMS: reportLimitMs },
    ).hint(letterIndex),
  );
  const data = period.spans.map(({ name }) => ({ period: name, ...noLetters() }));
  const totals = noLetters();
  for (const { _id, count } of groups) {
    for (const counts of [data[_id.bucket], totals]) {
      if (!counts) throw new Error(`A letter is in span ${_id.bucket} of ${data.length}`);
      counts[_id.status] += count;
      counts.total += count;
    }
  }
  return { data, totals };
}

function noLetters(): LetterCounts {
  return { ...(Object.fromEntries(mailStatuses.map((status) => [status, 0])) as Record<MailStatus, number>), total: 0 };
}
