import { html } from 'hono/html';
import type { Markup } from './markup.ts';

/** A choice of a filter, with the URL of the list filtered by it. */
export type FilterLink = { label: string; href: string; isCurrent: boolean };

/** Renders a filter as a row of links, one per choice. */
export function filterLinks(label: string, links: readonly FilterLink[]): Markup {
  return html`<nav class="filter" aria-label="${label}"><span class="filter-label" aria-hidden="true">${label}</span><ul>${links.map(
    ({ label: text, href, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="true"` : html``}>${text}</a></li>`,
  )}</ul></nav>`;
}
