import { html } from 'hono/html';
import { noForm } from '../framework/forms/sent-form.ts';
import type { Visit } from '../framework/visit.ts';
import { fieldSet } from './fields.ts';
import type { Markup } from './markup.ts';

type FilterForm = {
  visit: Visit;
  /** Path of the list page, without the language. */
  path: string;
  label: string;
  submit: string;
  /** Link to the unfiltered list. Absent when no filter is set. */
  clear?: { label: string; query: Record<string, string | undefined> } | undefined;
};

/** Renders a filter form. It submits by GET, so filtered lists can be bookmarked. */
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
