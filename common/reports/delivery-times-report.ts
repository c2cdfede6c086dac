import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { type ServiceType, serviceTypes } from '#common/services.ts';
import { letterIndex, matchLetters, readReport, reportLimitMs } from './match-letters.ts';
import type { ReportPeriod } from './report-period.ts';

/** The stretches of a letter's way that are measured. */
export const stretches = ['queued_to_posted', 'posted_to_delivered'] as const;
export type Stretch = (typeof stretches)[number];

/** Whole minutes within which half, nine tenths and 95 of 100 letters were done; null without letters. */
export type Percentiles = { p50Minutes: number | null; p90Minutes: number | null; p95Minutes: number | null };
export type DeliveryTimes = { serviceType: ServiceType; stretch: Stretch; letters: number } & Percentiles;
export type DeliveryTimesReport = { data: DeliveryTimes[]; totals: { letters: number } };

type Count = { _id: { serviceType: ServiceType; stretch: Stretch; minutes: number }; letters: number };

const minuteMs = 60_000;
/** Longer times are counted by the hour, so a year has at most 12,000 different times. */
const byMinuteUpTo = 2 * 24 * 60;

/**
 * Returns how long letters took that were created in the period, by service and stretch; a letter that has not finished
 * a stretch is not counted in it. Percentiles are those of the nearest rank, times are rounded down: to minutes up to two
 * days, to hours above. Throws SERVICE_UNAVAILABLE when it takes longer than 8 s, and
 * RATE_LIMITED when many reports wait.
 */
export async function readDeliveryTimesReport(owner: Owner, period: ReportPeriod): Promise<DeliveryTimesReport> {
  const counts = await readReport(owner, () =>
    MailJob.aggregate<Count>(
      [
        matchLetters(owner, period, ['posted', 'delivered']),
        {
          $project: {
            serviceType: 1,
            times: [
              { stretch: 'queued_to_posted', minutes: minutesBetween('$queuedAt', '$postedAt') },
              { stretch: 'posted_to_delivered', minutes: minutesBetween('$postedAt', '$deliveredAt') },
            ],
          },
        },
        { $unwind: '$times' },
        { $match: { 'times.minutes': { $gte: 0 } } },
        {
          $group: {
            _id: { serviceType: '$serviceType', stretch: '$times.stretch', minutes: coarse('$times.minutes') },
            letters: { $sum: 1 },
          },
        },
      ],
      { maxTimeMS: reportLimitMs },
    ).hint(letterIndex),
  );
  const data = serviceTypes.flatMap((serviceType) =>
    stretches.map((stretch) => {
      const own = counts.filter(({ _id }) => _id.serviceType === serviceType && _id.stretch === stretch);
      return { serviceType, stretch, ...summarize(own) };
    }),
  );
  const posted = data.filter(({ stretch }) => stretch === 'queued_to_posted');
  return { data, totals: { letters: posted.reduce((sum, { letters }) => sum + letters, 0) } };
}

/** Null when either time is null. */
function minutesBetween(start: string, end: string) {
  return { $floor: { $divide: [{ $subtract: [end, start] }, minuteMs] } };
}

function coarse(minutes: string) {
  return { $cond: [{ $lt: [minutes, byMinuteUpTo] }, minutes, { $subtract: [minutes, { $mod: [minutes, 60] }] }] };
}

function summarize(counts: readonly Count[]): { letters: number } & Percentiles {
  const sorted = counts.toSorted((left, right) => left._id.minutes - right._id.minutes);
  const letters = sorted.reduce((sum, count) => sum + count.letters, 0);
  const percentile = (percent: number): number | null => {
    let below = 0;
    for (const count of sorted) {
      below += count.letters;
      if (below * 100 >= letters * percent) return count._id.minutes;
    }
    return null;
  };
  return { letters, p50Minutes: percentile(50), p90Minutes: percentile(90), p95Minutes: percentile(95) };
}
