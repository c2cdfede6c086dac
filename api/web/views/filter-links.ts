import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

/** One of the choices of a filter, and the address that shows the list by it. */
export type FilterLink = { label: string; href: string; isCurrent: boolean };

/** A filter of a list as links: each choice is one press, and an address of its own. */
export function filterLinks(label: string, links: readonly FilterLink[]): Markup {
  return html`<nav class="filter" aria-label="${label}"><span class="filter-label" aria-hidden="true">${label}</span><ul>${links.map(
    ({ label: text, href, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="true"` : html``}>${text}</a></li>`,
  )}</ul></nav>`;
}
