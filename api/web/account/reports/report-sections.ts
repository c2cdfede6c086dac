import { html } from 'hono/html';
import { barChart } from '#api/web/design/charts/bar-chart.ts';
import { columnChart } from '#api/web/design/charts/column-chart.ts';
import type { Tone } from '#api/web/design/charts/tones.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { emptyState, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { readDay } from '#common/calendar.ts';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import {
  type DeliveryTimes,
  type DeliveryTimesReport,
  type Stretch,
  stretches,
} from '#common/reports/delivery-times-report.ts';
import type { FailuresReport } from '#common/reports/failures-report.ts';
import type { LettersReport } from '#common/reports/letters-report.ts';
import type { ReportName } from '#common/reports/report-kinds.ts';
import type { ReportPeriod } from '#common/reports/report-period.ts';
import type { SpendReport } from '#common/reports/spend-report.ts';
import { lettersChart, spanLabel } from './letters-chart.ts';
import type { Visit } from './texts.ts';

/** The visit, and where the CSV of each report is. */
export type Frame = { visit: Visit; csvHref(name: ReportName): string };

type Shown = { period: ReportPeriod; title: string; lead: string; chart: Markup; rows: Markup };

function reportSection(
  { visit, csvHref }: Frame,
  name: ReportName,
  { period, title, lead, chart, rows }: Shown,
): Markup {
  const texts = visit.texts.reports;
  const link = html`<a class="button plain" href="${csvHref(name)}" aria-label="${texts.csvOf(title)}">${texts.csv}</a>`;
  return section(
    title,
    html`<p class="quiet"><strong>${daysOf(visit, period)}</strong> · ${lead}</p>${chart}<details><summary>${texts.table}</summary>${rows}</details>`,
    link,
  );
}

/** Renders letters by day or month and status. */
export function lettersSection(frame: Frame, period: ReportPeriod, report: LettersReport): Markup {
  const { texts, format } = frame.visit;
  const words = texts.reports;
  const title = words.lettersBy[period.interval];
  if (report.totals.total === 0) return section(title, emptyState(words.none, words.noneHint));
  const named = report.data.map((row, index) => ({ ...row, period: spanLabel(frame.visit, period, index) }));
  const rows = table(
    title,
    [
      { label: words.spans[period.interval], cell: (row) => row.period },
      ...[...mailStatuses, 'total' as const].map((status) => ({
        label: status === 'total' ? words.total : texts.words.statuses[status],
        isNumber: true,
        cell: (row: (typeof named)[number]) => format.number(row[status]),
      })),
    ],
    [...named, { ...report.totals, period: words.total }],
  );
  return reportSection(frame, 'letters', {
    period,
    title,
    lead: words.lettersLead,
    chart: lettersChart(frame.visit, period, report),
    rows,
  });
}

/** Renders what letters cost by month. */
export function spendSection(frame: Frame, period: ReportPeriod, { data, totals }: SpendReport): Markup {
  const { texts, format } = frame.visit;
  const words = texts.reports;
  if (totals.debitedCents === 0 && totals.refundedCents === 0) {
    return section(words.spendBy, emptyState(words.noSpend, words.noneHint));
  }
  const named = data.map((row, index) => ({ ...row, period: spanLabel(frame.visit, period, index) }));
  const chart = columnChart({
    id: 'spend-chart',
    title: words.spendBy,
    description: `${words.spent}: ${format.money(totals.spentCents)}`,
    series: [{ name: words.spent, tone: 'accent' }],
    columns: named.map(({ period: label, spentCents }) => ({ label, values: [spentCents] })),
    formatValue: (cents) => format.number(cents / 100),
  });
  const money = (label: string, name: 'debitedCents' | 'refundedCents' | 'spentCents') => ({
    label,
    isNumber: true,
    cell: (row: (typeof named)[number]) => format.money(row[name]),
  });
  const rows = table(
    words.spendBy,
    [
      { label: words.spans[period.interval], cell: (row) => row.period },
      { label: words.letters, isNumber: true, cell: ({ letters }) => format.number(letters) },
      money(words.debited, 'debitedCents'),
      money(words.refunded, 'refundedCents'),
      money(words.spent, 'spentCents'),
    ],
    [...named, { ...totals, period: words.total }],
  );
  return reportSection(frame, 'spend', { period, title: words.spendBy, lead: words.spendLead, chart, rows });
}

/** Renders failed letters by reason. */
export function failuresSection(frame: Frame, period: ReportPeriod, { data, totals }: FailuresReport): Markup {
  const { texts, format } = frame.visit;
  const words = texts.reports;
  if (totals.letters === 0) return section(words.failures, emptyState(words.noFailures, words.noFailuresHint));
  const chart = barChart({
    id: 'failures-chart',
    title: words.failures,
    description: format.list(data.map(({ reason, letters }) => `${words.reasons[reason]}: ${format.number(letters)}`)),
    groups: [
      {
        bars: data.map(({ reason, letters }) => ({
          label: words.reasons[reason],
          value: letters,
          valueText: format.number(letters),
          tone: 'danger' as const,
        })),
      },
    ],
  });
  const rows = table(
    words.failures,
    [
      { label: words.reason, cell: ({ name }) => name },
      { label: words.letters, isNumber: true, cell: ({ letters }) => format.number(letters) },
    ],
    [
      ...data.map(({ reason, letters }) => ({ name: words.reasons[reason], letters })),
      { name: words.total, letters: totals.letters },
    ],
  );
  return reportSection(frame, 'failures', { period, title: words.failures, lead: words.failuresLead, chart, rows });
}

/** Renders percentiles of the times by service, one chart with a group per service and stretch. */
export function timesSection(frame: Frame, period: ReportPeriod, { data }: DeliveryTimesReport): Markup {
  const { texts, format } = frame.visit;
  const words = texts.reports;
  const known = data.filter(({ letters }) => letters > 0);
  if (known.length === 0) return section(words.times, emptyState(words.noTimes, words.noTimesHint));
  const timeOf = (minutes: number | null) => timeIn(frame.visit, minutes);
  const ordered = stretches.flatMap((stretch) => known.filter((row) => row.stretch === stretch));
  const charts = stretches.map((stretch) => timesChart(frame.visit, stretch, ordered));
  const rows = table(
    words.times,
    [
      { label: texts.words.labels.service, cell: ({ serviceType }) => texts.words.serviceTypes[serviceType] },
      { label: words.stretch, cell: ({ stretch }) => words.stretches[stretch] },
      { label: words.letters, isNumber: true, cell: ({ letters }) => format.number(letters) },
      { label: words.half, isNumber: true, cell: ({ p50Minutes }) => timeOf(p50Minutes) },
      { label: words.most, isNumber: true, cell: ({ p90Minutes }) => timeOf(p90Minutes) },
      { label: words.p95, isNumber: true, cell: ({ p95Minutes }) => timeOf(p95Minutes) },
    ],
    ordered,
  );
  return reportSection(frame, 'delivery-times', {
    period,
    title: words.times,
    lead: words.timesLead,
    chart: html`${charts}`,
    rows,
  });
}

const timeIn = ({ format }: Visit, minutes: number | null) => (minutes === null ? '' : format.duration(minutes));

/** Renders one stretch of all services. Its heading is text of the page, which can wrap. */
function timesChart(visit: Visit, stretch: Stretch, all: readonly DeliveryTimes[]): Markup {
  const words = visit.texts.reports;
  const own = all.filter((row) => row.stretch === stretch);
  if (own.length === 0) return nothing;
  const nameOf = ({ serviceType }: DeliveryTimes) => visit.texts.words.serviceTypes[serviceType];
  const bar = (label: string, minutes: number | null, tone: Tone) => {
    return { label, value: minutes ?? 0, valueText: timeIn(visit, minutes), tone };
  };
  const chart = barChart({
    id: `times-chart-${stretch}`,
    title: `${words.times}: ${words.stretches[stretch]}`,
    description: visit.format.list(own.map((row) => `${nameOf(row)}: ${words.half} ${timeIn(visit, row.p50Minutes)}`)),
    groups: own.map((row) => ({
      heading: nameOf(row),
      bars: [bar(words.half, row.p50Minutes, 'accent'), bar(words.most, row.p90Minutes, 'quiet')],
    })),
  });
  return html`<h3>${words.stretches[stretch]}</h3>${chart}`;
}

/** Returns the first and last day of a period, as people write them. */
function daysOf({ format }: Visit, { from, to }: ReportPeriod): string {
  const name = (day: string) => format.date(readDay(day)?.startsAt ?? new Date(day));
  return from === to ? name(from) : `${name(from)} – ${name(to)}`;
}
