import { z } from 'zod';
import { timeZone } from '#common/calendar.ts';
import { type CsvCell, csvRecord } from '#common/csv.ts';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import { failureCodes } from '#common/mail-jobs/model/failure.ts';
import { modes } from '#common/modes.ts';
import { currency } from '#common/money.ts';
import { serviceTypes } from '#common/services.ts';
import { stretches } from './delivery-times-report.ts';
import { intervals } from './report-period.ts';

const count = z.int().min(0);
const days = {
  mode: z.enum(modes),
  timeZone: z.literal(timeZone).describe('The time zone of the days and months.'),
  from: z.iso.date().describe('The first day.'),
  to: z.iso.date().describe('The last day, included.'),
};
const spans = { ...days, interval: z.enum(intervals) };
const period = z.string().describe('`yyyy-mm-dd`, or `yyyy-mm` with months.');

const letterCounts = { queued: count, printed: count, posted: count, delivered: count, failed: count, total: count };
export const LettersReportView = z
  .object({
    ...spans,
    data: z.array(z.object({ period, ...letterCounts })).describe('One of each day or month, in order.'),
    totals: z.object(letterCounts),
  })
  .meta({ id: 'LettersReport' });

const spend = {
  letters: count.describe('Letters debited.'),
  debitedCents: count,
  refundedCents: count,
  spentCents: z.int().describe('Debited less refunded. Negative when more was refunded.'),
};
export const SpendReportView = z
  .object({
    ...spans,
    currency: z.literal(currency),
    data: z.array(z.object({ period, ...spend })).describe('One of each day or month, in order.'),
    totals: z.object(spend),
  })
  .meta({ id: 'SpendReport' });

export const FailuresReportView = z
  .object({
    ...days,
    data: z
      .array(z.object({ reason: openEnum(failureCodes), letters: count }))
      .describe('The reasons that occurred, the most frequent first.'),
    totals: z.object({ letters: count }),
  })
  .meta({ id: 'FailuresReport' });

const minutes = count.nullable();
export const DeliveryTimesReportView = z
  .object({
    ...days,
    data: z
      .array(
        z.object({
          serviceType: z.enum(serviceTypes),
          stretch: openEnum(stretches),
          letters: count.describe('Letters that have finished the stretch.'),
          p50Minutes: minutes.describe('Half of the letters took at most this; null without letters.'),
          p90Minutes: minutes,
          p95Minutes: minutes,
        }),
      )
      .describe('One of each service and stretch.'),
    totals: z.object({ letters: count.describe('Letters posted.') }),
  })
  .meta({ id: 'DeliveryTimesReport' });

type Row = Readonly<Record<string, CsvCell>>;

/**
 * Yields a report as CSV: a head, a `row` record per row, and one `total` record. `columns` are the names of the fields in
 * order; a total has those that it shares with the rows, the others are empty.
 */
export async function* writeReportCsv(
  columns: readonly string[],
  { data, totals }: { data: readonly Row[]; totals: Row },
): AsyncGenerator<string> {
  const record = (name: string, row: Row) => csvRecord([name, ...columns.map((column) => row[column] ?? null)]);
  yield csvRecord(['record', ...columns]);
  for (const row of data) yield record('row', row);
  yield record('total', totals);
}
