import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import { noForm } from '../read-form.ts';
import type { Visit } from '../visit.ts';
import { fieldSet } from './fields.ts';

type FilterForm = {
  visit: Visit;
  /** Of the page with the list, without language. */
  path: string;
  label: string;
  submit: string;
  /** The way back to the whole list; absent while nothing is filtered. */
  clear?: { label: string; query: Record<string, string | undefined> } | undefined;
};

/** A form that narrows a list: what is chosen becomes the page's query, so that it can be kept as a link. */
export function filterForm(
  { visit, path, label, submit, clear }: FilterForm,
  content: (fields: ReturnType<typeof fieldSet>) => Markup,
): Markup {
  const fields = fieldSet({
    texts: visit.texts,
    prefix: 'filter',
    sent: noForm,
    typedIn: () => '',
    errorOf: () => null,
    isFilter: true,
  });
  return html`<form class="filters sheet" method="get" action="${visit.href(path)}" role="search" aria-label="${label}">
${content(fields)}
<div class="actions"><button class="button plain">${submit}</button>${clear ? html`<a class="button quiet" href="${visit.href(path, clear.query)}">${clear.label}</a>` : html``}</div>
</form>`;
}
