import { html } from 'hono/html';
import { type Markup, nothing } from '../markup.ts';
import { fillOf, patterns, type Tone } from './tones.ts';

type Bar = { label: string; value: number; valueText: string; tone: Tone };
export type BarChart = {
  /** Makes element ids unique on the page. */
  id: string;
  title: string;
  description: string;
  /** Values are not negative. A heading stands above its bars. */
  groups: readonly { heading?: string; bars: readonly Bar[] }[];
};

const headingHeight = 28;
const barHeight = 46;

/**
 * Renders horizontal bars as SVG, each with its name and value written above it, so it needs no axis and no legend.
 * Lengths are percentages, as in column charts.
 */
export function barChart({ id, title, description, groups }: BarChart): Markup {
  const bars = groups.flatMap((group) => group.bars);
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  let y = 0;
  const parts = groups.flatMap(({ heading, bars: own }) => {
    const head =
      heading === undefined ? nothing : html`<text class="chart-heading" x="0" y="${y + 18}">${heading}</text>`;
    if (heading !== undefined) y += headingHeight;
    const drawn = own.map(({ label, value, valueText, tone }) => {
      const top = y;
      y += barHeight;
      const width = Math.max(0.5, Math.round((value / longest) * 10_000) / 100);
      return html`<text class="chart-label" x="0" y="${top + 14}">${label}</text><text class="chart-label chart-value" x="100%" y="${top + 14}" text-anchor="end">${valueText}</text><rect class="chart-track" x="0" y="${top + 20}" width="100%" height="14"/><rect x="0" y="${top + 20}" width="${width}%" height="14" fill="${fillOf(id, tone)}"/>`;
    });
    return [head, ...drawn];
  });
  return html`<svg class="chart" height="${y}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
${patterns(id, [...new Set(bars.map(({ tone }) => tone))])}
${parts}
</svg>`;
}
