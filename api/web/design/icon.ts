import { html, raw } from 'hono/html';
import type { Markup } from './markup.ts';

/** SVG paths on a 24 by 24 grid, drawn for this product. */
const strokes = {
  overview: '<path d="M4 11.5 12 5l8 6.5V20h-5.5v-5h-5v5H4z"/>',
  letter: '<path d="M3.5 6h17v12h-17z"/><path d="m3.5 7 8.500 6.500L20.500 7"/>',
  send: '<path d="M4 4.500 20.500 12 4 19.500 6.500 12zM6.500 12h7"/>',
  upload: '<path d="M12 15.500V5M7.500 9 12 4.500 16.500 9M4.500 15v4.500h15V15"/>',
  page: '<path d="M6 3.500h8.500L18.500 7.500v13H6zM9 11h6.500M9 14h6.500M9 17h4"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="m11 12 8.500-8.500M16 7l3 3"/>',
  webhook: '<path d="M13 3 5.500 13.500H11L10 21l7.500-10.500H12z"/>',
  book: '<path d="M5 4h12.500v16H5zM8.500 4v16M11.500 9H15"/>',
  wallet: '<path d="M4 7.500h16V19H4zM4 7.500 16 4v3.500M15.500 13.200h.5"/>',
  apps: '<path d="M4.500 4.500h6v6h-6zM13.500 4.500h6v6h-6zM4.500 13.500h6v6h-6zM13.500 13.500h6v6h-6z"/>',
  chart: '<path d="M4 4v16h16M8 16v-4M12 16V8M16 16v-6"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4.500 20.500c.8-4 3.800-6 7.500-6s6.700 2 7.500 6"/>',
  people:
    '<circle cx="9" cy="8.500" r="3.500"/><path d="M2.500 19.500c.6-3.500 3.200-5.200 6.500-5.200s5.900 1.700 6.500 5.200M15.500 5.400a3.500 3.500 0 0 1 0 6.200M18 14.800c2 .7 3.200 2.300 3.500 4.700"/>',
  layers:
    '<path d="m12 4 8.500 4.500L12 13 3.500 8.500zM3.500 12.500 12 17l8.500-4.500M3.500 16.500 12 21l8.500-4.500"/>',
  shield: '<path d="M12 3.500 5 6v5.500c0 4.500 2.800 7.500 7 9 4.200-1.500 7-4.500 7-9V6z"/>',
  pulse: '<path d="M3 12.500h4l2.500-7 5 13 2.500-6h4"/>',
  list: '<path d="M8.500 6.500H20M8.500 12H20M8.500 17.500H20M4 6.500h.500M4 12h.500M4 17.500h.500"/>',
  tag: '<path d="M4 4h8.500L20 11.500 11.500 20 4 12.500zM8 8h.1"/>',
  printer: '<path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7zM16.500 11.500h.5"/>',
  signOut: '<path d="M14 4.500H5v15h9M10 12h10.500M17 8.500l3.500 3.500-3.500 3.500"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  copy: '<path d="M8.500 8.500H20V20H8.500zM15.500 8.500V4H4v11.500h4.500"/>',
  check: '<path d="m5 12.500 4.500 4.500L19 7"/>',
  alert: '<path d="M12 4 2.800 20h18.400zM12 10v4.500M12 17.200v.2"/>',
  info: '<circle cx="12" cy="12" r="8.500"/><path d="M12 11v5.500M12 7.700v.2"/>',
} as const;

export type IconName = keyof typeof strokes;

/** Renders a decorative icon next to text with the same meaning. Hidden from assistive technology. */
export function icon(name: IconName): Markup {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${raw(strokes[name])}</svg>`;
}
