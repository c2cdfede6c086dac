import { html } from 'hono/html';
import { z } from 'zod';
import { filterForm } from '#api/web/design/filter-form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { pageHead } from '#api/web/design/page-parts.ts';
import { download, view } from '#api/web/framework/answer.ts';
import { parseDay } from '#common/calendar.ts';
import { hasCode } from '#common/errors.ts';
import { type Mode, modes } from '#common/modes.ts';
import { readDeliveryTimesReport } from '#common/reports/delivery-times-report.ts';
import { readFailuresReport } from '#common/reports/failures-report.ts';
import { readLettersReport } from '#common/reports/letters-report.ts';
import { writeReportCsv } from '#common/reports/report.view.ts';
import { type ReportName, reportKinds } from '#common/reports/report-kinds.ts';
import { completeReportPeriod, type Interval, type ReportPeriod } from '#common/reports/report-period.ts';
import { readSpendReport } from '#common/reports/spend-report.ts';
import { findUsedMode } from '../letters/letters.ts';
import { lateSection, nullWhenBusy } from './null-when-busy.ts';
import { failuresSection, lettersSection, spendSection, timesSection } from './report-sections.ts';
import { definePage, type Visit } from './texts.ts';

const path = '/account/reports';
/** With more days, columns are too thin on a telephone: those of months are drawn. */
const maxColumns = 62;

const names = Object.keys(reportKinds) as [ReportName, ...ReportName[]];
const query = z.object({
  mode: z.enum(modes).optional(),
  from: z.string().max(10).optional(),
  to: z.string().max(10).optional(),
  csv: z.enum(names).optional(),
});
type Chosen = { mode: Mode; from: string | undefined; to: string | undefined };

/** The reports of an organization as charts, each with a table and a CSV. */
export const reportsPage = definePage({
  path,
  query,

  async show({ visit, query: { csv, ...wanted }, now }, { cursors }) {
    const { organizationId } = visit.user;
    const mode = wanted.mode ?? (await findUsedMode(organizationId, cursors));
    const owner = { organizationId, mode };
    const asked = readPeriods(wanted, now);
    const periods = asked ?? readPeriods({}, now);
    if (periods === null) throw new Error('A period without days is always complete');
    const chosen = { mode, from: asked ? wanted.from : undefined, to: asked ? wanted.to : undefined };
    if (csv !== undefined) {
      const period = csv === 'spend' ? periods.spend : periods.letters;
      const { columns, read } = reportKinds[csv];
      const filename = `${csv}-${period.from}-${period.to}-${mode}.csv`;
      return download({ contentType: 'text/csv', filename, body: writeReportCsv(columns, await read(owner, period)) });
    }
    const [letters, spend, failures, times] = await Promise.all([
      nullWhenBusy(readLettersReport(owner, periods.letters)),
      nullWhenBusy(readSpendReport(owner, periods.spend)),
      nullWhenBusy(readFailuresReport(owner, periods.letters)),
      nullWhenBusy(readDeliveryTimesReport(owner, periods.letters)),
    ]);
    const words = visit.texts.reports;
    const { lead, badPeriod } = words;
    const title = visit.texts.frame.pages.reports;
    const frame = { visit, csvHref: (name: ReportName) => visit.href(path, { ...chosen, csv: name }) };
    return view({
      title,
      body: html`${pageHead({ title, lead })}
${filterFields(visit, chosen)}
${asked === null ? notice('warning', badPeriod) : nothing}
${letters ? lettersSection(frame, periods.letters, letters) : lateSection(visit, words.lettersBy[periods.letters.interval])}
${spend ? spendSection(frame, periods.spend, spend) : lateSection(visit, words.spendBy)}
${failures ? failuresSection(frame, periods.letters, failures) : lateSection(visit, words.failures)}
${times ? timesSection(frame, periods.letters, times) : lateSection(visit, words.times)}`,
    });
  },
});

/** Returns the periods of the charts; null for invalid days and an invalid period. Empty fields count as absent. */
function readPeriods(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { letters: ReportPeriod; spend: ReportPeriod } | null {
  const given = { from: from ? parseDay(from) : undefined, to: to ? parseDay(to) : undefined };
  if (given.from === null || given.to === null) return null;
  const days = { from: given.from, to: given.to };
  const complete = (interval: Interval) => completeReportPeriod(days, interval, now);
  try {
    const letters = complete('day');
    const inMonths = { from: parseDay(letters.from) ?? undefined, to: parseDay(letters.to) ?? undefined };
    return {
      letters: letters.spans.length > maxColumns ? completeReportPeriod(inMonths, 'month', now) : letters,
      spend: complete('month'),
    };
  } catch (error) {
    if (hasCode(error, 'VALIDATION_ERROR')) return null;
    throw error;
  }
}

function filterFields(visit: Visit, { mode, from, to }: Chosen): Markup {
  const { reports } = visit.texts;
  const clear = from || to ? { label: reports.clear, query: { mode } } : undefined;
  return filterForm(
    { visit, path, label: reports.filter, mode, clear },
    (fields) => html`${fields.text({ name: 'from', type: 'date', label: reports.from, value: from ?? '' })}
${fields.text({ name: 'to', type: 'date', label: reports.to, value: to ?? '' })}`,
  );
}
