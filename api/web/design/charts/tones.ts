import { html, raw } from 'hono/html';
import { type Markup, nothing } from '../markup.ts';

/** The colours of charts, each with a pattern of its own. Their names are classes in `charts.css`. */
const marks = {
  quiet: '<path d="M0 8 8 0M-2 2 2-2M6 10 10 6"/>',
  warning: '<path d="M0 2h8M0 6h8"/>',
  accent: '',
  success: '<path d="M2 0v8M6 0v8"/>',
  danger: '<path d="M0 0 8 8M0 8 8 0"/>',
} as const;
export type Tone = keyof typeof marks;

/** Renders the patterns of these tones, for one SVG. */
export function patterns(id: string, tones: readonly Tone[]): Markup {
  return html`<defs>${tones.map((tone) => html`<pattern id="${id}-${tone}" class="tone-${tone}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8"/>${raw(marks[tone])}</pattern>`)}</defs>`;
}

/** Returns the value of a `fill` attribute. */
export function fillOf(id: string, tone: Tone): string {
  return `url(#${id}-${tone})`;
}

/** Renders what each pattern means, with the total of the series. The chart of `id` must be on the same page. */
export function legend(id: string, entries: readonly { name: string; tone: Tone; total: string }[]): Markup {
  if (entries.length === 0) return nothing;
  return html`<ul class="chart-legend">${entries.map(({ name, tone, total }) => html`<li><svg class="chart-key" width="20" height="14" aria-hidden="true" focusable="false"><rect width="20" height="14" fill="${fillOf(id, tone)}"/></svg>${name} <strong>${total}</strong></li>`)}</ul>`;
}
