import { z } from 'zod';
import { timeZone } from '#common/calendar.ts';
import { Day } from '#common/fields/day.schema.ts';
import type { Mode } from '#common/modes.ts';
import { writeReportCsv } from '#common/reports/report.view.ts';
import { type ReportName, reportKinds } from '#common/reports/report-kinds.ts';
import { completeReportPeriod, type Interval, intervals } from '#common/reports/report-period.ts';
import { stream } from './route.ts';

const csv = 'text/csv';

/** The query of a report without spans of time. */
export const reportQuery = {
  from: Day.optional().describe('The first day in Brussels. Absent: 29 days before `to`.'),
  to: Day.optional().describe('The last day, included. Absent: today in Brussels.'),
  format: z.enum(['json', 'csv']).optional().describe('Takes precedence over the `Accept` header.'),
};

/** The query of a report by day or month. */
export const spanQuery = (interval: Interval) => ({
  ...reportQuery,
  from: Day.optional().describe(
    'The first day in Brussels. Absent: 29 days before `to`; with months the first day of the month 11 months before.',
  ),
  interval: z.enum(intervals).default(interval).describe('Months are cut at `from` and `to`.'),
});

/** What all descriptions of reports say. */
export const reportNote = `A report covers at most 366 days, in Brussels time, in the mode of the credential. For CSV (RFC 4180, UTF-8) use
\`format=csv\` or \`Accept: text/csv\`; its last record is the \`total\`. A report that takes longer than 8 seconds ends with
\`SERVICE_UNAVAILABLE\`: ask for a shorter period.`;

type ReportRequest = {
  query: z.output<z.ZodObject<typeof reportQuery>> & { interval?: Interval };
  accepted: string;
  credential: { organizationId: string; mode: Mode };
  now: Date;
};
type Report<Name extends ReportName> = Awaited<ReturnType<(typeof reportKinds)[Name]['read']>>;

/** Reads the report that a request names. Returns it as CSV when the client prefers that, else what JSON is made of. */
export async function answerReport<Name extends ReportName>(name: Name, request: ReportRequest) {
  const { query, accepted, credential, now } = request;
  const { columns, read, interval } = reportKinds[name];
  const period = completeReportPeriod(query, query.interval ?? interval, now);
  const report = (await read(credential, period)) as Report<Name>;
  const isCsv = query.format === undefined ? accepted === csv : query.format === 'csv';
  const filename = `${name}-${period.from}-${period.to}-${credential.mode}.csv`;
  if (isCsv) return { csv: stream(csv, writeReportCsv(columns, report), filename) };
  const head = { mode: credential.mode, timeZone, from: period.from, to: period.to } as const;
  return { report, head, interval: period.interval };
}
