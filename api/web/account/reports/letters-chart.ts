import { html } from 'hono/html';
import { columnChart } from '#api/web/design/charts/column-chart.ts';
import { legend, type Tone } from '#api/web/design/charts/tones.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { type MailStatus, mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import type { LettersReport } from '#common/reports/letters-report.ts';
import type { ReportPeriod } from '#common/reports/report-period.ts';
import type { Visit } from './texts.ts';

/** The failed ones stand on top. */
const tones: Record<MailStatus, Tone> = {
  delivered: 'success',
  posted: 'accent',
  printed: 'warning',
  queued: 'quiet',
  failed: 'danger',
};

/** Renders letters by day or month and status, with a legend that has the totals. */
export function lettersChart(visit: Visit, period: ReportPeriod, { data, totals }: LettersReport): Markup {
  const { format, texts } = visit;
  const shown = (Object.keys(tones) as MailStatus[]).filter((status) => totals[status] > 0);
  const series = shown.map((status) => ({ name: texts.words.statuses[status], tone: tones[status] }));
  const chart = columnChart({
    id: 'letters-chart',
    title: texts.reports.lettersBy[period.interval],
    description: format.list(
      shown.map((status) => `${texts.words.statuses[status]}: ${format.number(totals[status])}`),
    ),
    series,
    columns: data.map((row, index) => ({
      label: spanLabel(visit, period, index),
      values: shown.map((status) => row[status]),
    })),
    formatValue: format.number,
  });
  const entries = mailStatuses.filter((status) => totals[status] > 0);
  return html`${chart}${legend(
    'letters-chart',
    entries.map((status) => ({
      name: texts.words.statuses[status],
      tone: tones[status],
      total: format.number(totals[status]),
    })),
  )}`;
}

/** Returns the short name of a day or month. */
export function spanLabel({ format }: Visit, { spans, interval }: ReportPeriod, index: number): string {
  const startsAt = spans[index]?.startsAt;
  if (!startsAt) throw new Error(`The period has no span ${index}`);
  return interval === 'day' ? format.shortDate(startsAt) : format.shortMonth(startsAt);
}
