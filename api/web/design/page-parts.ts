import { html } from 'hono/html';
import type { Visit } from '#api/web/visit/visit.ts';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { icon } from './icon.ts';
import { type Markup, nothing } from './markup.ts';

/** Renders the head of a page: `h1`, an introduction, and links or forms for actions. */
export function pageHead({ title, lead, actions }: { title: string; lead?: string; actions?: Markup }): Markup {
  return html`<div class="page-head"><div><h1>${title}</h1>${lead === undefined ? nothing : html`<p class="lead">${lead}</p>`}</div>${actions === undefined ? nothing : html`<div class="actions">${actions}</div>`}</div>`;
}

/** Renders a section of a page with an `h2`. */
export function section(title: string, content: Markup, actions: Markup = nothing): Markup {
  return html`<section class="sheet"><div class="sheet-head"><h2>${title}</h2>${actions}</div>${content}</section>`;
}

/** Renders the placeholder for an empty list, with a hint how to fill it. */
export function emptyState(title: string, hint: string, action: Markup = nothing): Markup {
  return html`<div class="empty"><p class="empty-title">${title}</p><p>${hint}</p>${action}</div>`;
}

/** Renders pairs of label and value. */
export function facts(pairs: readonly (readonly [label: string, value: Markup | string])[]): Markup {
  return html`<dl class="facts">${pairs.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Returns the pair that says who created a resource. Users see what their colleagues made, but not their ids. */
export function creatorFacts({ texts }: Visit, createdBy: AuditActor | undefined): [label: string, value: Markup][] {
  if (createdBy === undefined) return [];
  const { kind, id } = createdBy;
  const words: Record<string, string> = texts.words.creators;
  const shownId = kind === 'key' || kind === 'application' ? html` <code>${id}</code>` : nothing;
  return [[texts.words.createdBy, html`${words[kind] ?? texts.words.creators.other}${shownId}`]];
}

type Pagination = {
  visit: Visit;
  /** Path without the language. */
  path: string;
  /** The filters of the list. The links keep them. */
  query: Record<string, string | undefined>;
  /** Cursor of the current page. Absent on the first page. */
  cursor: string | undefined;
  nextCursor: string | null;
  /** For a list that is not ordered by time. */
  labels?: { first: string; next: string };
};

/** Renders the links between the pages of a list. Empty when there is only one page. */
export function pagination({ visit, path, query, cursor, nextCursor, labels }: Pagination): Markup {
  if (cursor === undefined && nextCursor === null) return nothing;
  const { newer, older, pagination: label } = visit.texts.form;
  return html`<nav class="pagination" aria-label="${label}">
${cursor === undefined ? nothing : html`<a class="button plain" href="${visit.href(path, query)}">${labels?.first ?? newer}</a>`}
${nextCursor === null ? nothing : html`<a class="button plain" href="${visit.href(path, { ...query, cursor: nextCursor })}">${labels?.next ?? older}</a>`}
</nav>`;
}

/** Renders a secret with a copy button. The script reveals the button, because copying needs JavaScript. */
export function secretToCopy({ id, secret, visit }: { id: string; secret: string; visit: Visit }): Markup {
  const { copy, copied } = visit.texts.form;
  return html`<div class="secret"><code id="${id}">${secret}</code><button class="button plain" type="button" data-copy="${id}" data-done="${copied}" hidden>${icon('copy')}<span class="label" aria-live="polite">${copy}</span></button></div>`;
}
