import { html } from 'hono/html';
import { type Markup, nothing } from '../markup.ts';
import { niceTicks } from './nice-ticks.ts';
import { fillOf, patterns, type Tone } from './tones.ts';

type Series = { name: string; tone: Tone };
export type ColumnChart = {
  /** Makes element ids unique on the page. */
  id: string;
  title: string;
  description: string;
  /** Drawn from the bottom up. */
  series: readonly Series[];
  /** One per day or month, with a value of each series. Values are whole numbers; only a single series may be negative. */
  columns: readonly { label: string; values: readonly number[] }[];
  formatValue(value: number): string;
};

const plotHeight = 200;
const topMargin = 12;
const labelHeight = 28;
/** So few labels fit beside each other at 360 px. */
const maxLabels = 4;
/** The part of its place that a column covers. */
const coverage = 0.76;

/**
 * Renders stacked columns as SVG. Horizontal positions are percentages, so the chart fits its container while its text
 * keeps its size. Each series has a pattern besides its colour.
 */
export function columnChart(chart: ColumnChart): Markup {
  const { id, title, description, series, columns } = chart;
  const sums = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const ticks = niceTicks(Math.min(...sums), Math.max(...sums));
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const yOf = (value: number) => topMargin + round(((high - value) / (high - low)) * plotHeight);
  const height = topMargin + plotHeight + labelHeight;
  const tones = series.map(({ tone }) => tone);
  return html`<svg class="chart chart-columns" height="${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
${patterns(id, tones)}
${ticks.map((tick) => gridLine(yOf(tick), chart.formatValue(tick), tick === 0))}
${columns.map(({ values }, index) => column(chart, { values, index, yOf }))}
${columnLabels(chart, topMargin + plotHeight + 20)}
</svg>`;
}

function gridLine(y: number, label: string, isZero: boolean): Markup {
  return html`<line class="${isZero ? 'chart-zero' : 'chart-grid'}" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="chart-text" x="-8" y="${y + 4}" text-anchor="end">${label}</text>`;
}

type Place = { values: readonly number[]; index: number; yOf(value: number): number };

function column({ id, series, columns }: ColumnChart, { values, index, yOf }: Place): Markup {
  const place = 100 / columns.length;
  const x = round(place * (index + (1 - coverage) / 2));
  let below = 0;
  return html`${values.map((value, of) => {
    const [start, end] = [yOf(below), yOf(below + value)];
    below += value;
    const tone = series[of]?.tone;
    if (value === 0 || tone === undefined) return nothing;
    return html`<rect class="chart-part" x="${x}%" width="${round(place * coverage)}%" y="${Math.min(start, end)}" height="${round(Math.max(Math.abs(start - end), 1))}" fill="${fillOf(id, tone)}"/>`;
  })}`;
}

/** Labels every column, or every second, fifth and so on. */
function columnLabels({ columns }: ColumnChart, y: number): Markup {
  const every = Math.ceil(columns.length / maxLabels);
  const place = 100 / columns.length;
  return html`${columns.map(({ label }, index) =>
    index % every === 0
      ? html`<text class="chart-text" x="${round(place * (index + 0.5))}%" y="${y}" text-anchor="middle">${label}</text>`
      : nothing,
  )}`;
}

const round = (value: number) => Math.round(value * 100) / 100;
