import { html } from 'hono/html';
import { type Markup, nothing } from '../markup.ts';
import type { Visit } from '../visit.ts';
import { icon } from './icon.ts';

/** The head of a page: its `h1`, a sentence about it, and links or forms that begin something. */
export function pageHead({ title, lead, actions }: { title: string; lead?: string; actions?: Markup }): Markup {
  return html`<div class="page-head"><div><h1>${title}</h1>${lead === undefined ? nothing : html`<p class="lead">${lead}</p>`}</div>${actions === undefined ? nothing : html`<div class="actions">${actions}</div>`}</div>`;
}

/** A part of a page on a sheet of its own. */
export function section(title: string, content: Markup, actions: Markup = nothing): Markup {
  return html`<section class="sheet"><div class="sheet-head"><h2>${title}</h2>${actions}</div>${content}</section>`;
}

/** In place of an empty list: what is not there yet, and how it comes to be. */
export function emptyState(title: string, hint: string, action: Markup = nothing): Markup {
  return html`<div class="empty"><p class="empty-title">${title}</p><p>${hint}</p>${action}</div>`;
}

/** Labels and values, one pair a line. */
export function facts(pairs: readonly (readonly [label: string, value: Markup | string])[]): Markup {
  return html`<dl class="facts">${pairs.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

type Pagination = {
  visit: Visit;
  /** Without language. */
  path: string;
  /** The filters of the list, which go along. */
  query: Record<string, string | undefined>;
  /** Of the page that is shown; absent on the first. */
  cursor: string | undefined;
  nextCursor: string | null;
};

/** The ways from one page of a list to the next; nothing when there is only one. */
export function pagination({ visit, path, query, cursor, nextCursor }: Pagination): Markup {
  if (cursor === undefined && nextCursor === null) return nothing;
  const { newer, older, pagination: label } = visit.texts.form;
  return html`<nav class="pagination" aria-label="${label}">
${cursor === undefined ? nothing : html`<a class="button plain" href="${visit.href(path, query)}">${newer}</a>`}
${nextCursor === null ? nothing : html`<a class="button plain" href="${visit.href(path, { ...query, cursor: nextCursor })}">${older}</a>`}
</nav>`;
}

/** A secret that is shown this once, and a button that copies it where there is a script to do so. */
export function secretToCopy({ id, secret, visit }: { id: string; secret: string; visit: Visit }): Markup {
  const { copy, copied } = visit.texts.form;
  return html`<div class="secret"><code id="${id}">${secret}</code><button class="button plain" type="button" data-copy="${id}" data-done="${copied}" hidden>${icon('copy')}<span class="label" aria-live="polite">${copy}</span></button></div>`;
}
