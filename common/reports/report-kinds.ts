import type { CsvCell } from '#common/csv.ts';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import type { Owner } from '#common/modes.ts';
import { readDeliveryTimesReport } from './delivery-times-report.ts';
import { readFailuresReport } from './failures-report.ts';
import { readLettersReport } from './letters-report.ts';
import type { Interval, ReportPeriod } from './report-period.ts';
import { readSpendReport } from './spend-report.ts';

type Rows = { data: readonly Readonly<Record<string, CsvCell>>[]; totals: Readonly<Record<string, CsvCell>> };
type ReportKind = {
  /** Used when a request names no interval. Reports without spans of time use days. */
  interval: Interval;
  /** The columns of the CSV after `record`. */
  columns: readonly string[];
  read(owner: Owner, period: ReportPeriod): Promise<Rows>;
};

/** All reports, by the last part of their path. */
export const reportKinds = {
  letters: { interval: 'day', columns: ['period', ...mailStatuses, 'total'], read: readLettersReport },
  spend: {
    interval: 'month',
    columns: ['period', 'letters', 'debitedCents', 'refundedCents', 'spentCents'],
    read: readSpendReport,
  },
  failures: { interval: 'day', columns: ['reason', 'letters'], read: readFailuresReport },
  'delivery-times': {
    interval: 'day',
    columns: ['serviceType', 'stretch', 'letters', 'p50Minutes', 'p90Minutes', 'p95Minutes'],
    read: readDeliveryTimesReport,
  },
} as const satisfies Record<string, ReportKind>;

export type ReportName = keyof typeof reportKinds;
