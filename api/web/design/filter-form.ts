import { html } from 'hono/html';
import { noForm } from '#api/web/visit/sent-form.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { type Mode, modes } from '#common/modes.ts';
import { fieldSet } from './fields.ts';
import { type Markup, nothing } from './markup.ts';

type FilterForm = {
  visit: Visit;
  /** Path of the list page, without the language. */
  path: string;
  label: string;
  /** Default: "Show", in the language of the page. */
  submit?: string;
  /** The chosen mode, if the form begins with that choice. */
  mode?: Mode;
  /** Link to the unfiltered list. Absent when no filter is set. */
  clear?: { label: string; query: Record<string, string | undefined> } | undefined;
};

/** Renders a filter form. It submits by GET, so filtered lists can be bookmarked. */
export function filterForm(
  { visit, path, label, submit, mode, clear }: FilterForm,

  content: (fields: ReturnType<typeof fieldSet>) => Markup = () => html``,
): Markup {
  const fields = fieldSet({
    texts: visit.texts,
    prefix: 'filter',
    sent: noForm,
    typedIn: () => '',
    errorOf: () => null,
    isFilter: true,
  });
  const { labels, modes: names } = visit.texts.words;
  const options = modes.map((value) => ({ value, label: names[value] }));
  const ofMode = mode ? fields.select({ name: 'mode', label: labels.mode, options, chosen: [mode] }) : nothing;
  return html`<form class="filters sheet" method="get" action="${visit.href(path)}" role="search" aria-label="${label}">
${ofMode}
${content(fields)}
<div class="actions"><button class="button plain">${submit ?? labels.show}</button>${clear ? html`<a class="button quiet" href="${visit.href(path, clear.query)}">${clear.label}</a>` : nothing}</div>
</form>`;
}
