import { html } from 'hono/html';
import { type Markup, nothing } from '../markup.ts';
import { noForm, type SentForm, textOf } from '../read-form.ts';
import type { Texts } from '../texts/en.ts';
import type { Visit } from '../visit.ts';
import { fieldSet } from './fields.ts';
import { icon } from './icon.ts';

export type PostFormOptions = {
  visit: Visit;
  sent: SentForm;
  /** The path of the action, without language. */
  action: string;
  /** Its token is good for one post. */
  once?: boolean;
  /** On one line, as in a table's row. */
  isInline?: boolean;
};

/**
 * A form that posts, with its token, what is wrong with it as a whole, and the fields that `content` makes. When it was
 * sent and refused, the fields hold what was typed and say what is wrong with it; other forms of the page do not.
 */
export function postForm(
  { visit, sent, action, once = false, isInline = false }: PostFormOptions,
  content: (fields: ReturnType<typeof fieldSet>) => Markup,
): Markup {
  const own = sent.path === action ? sent : noForm;
  const { texts } = visit;
  const prefix = action.slice(1).replaceAll('/', '-');
  const fields = fieldSet({
    texts,
    prefix,
    sent: own,
    typedIn: (name) => textOf(own.values, name),
    errorOf: (name) => describeError(texts, visit.language, own.errors[name]),
  });
  return html`<form method="post" action="${visit.href(action)}" novalidate${isInline ? html` class="inline"` : nothing}>
${once ? visit.csrf.fieldOnce() : visit.csrf.field()}
${own.path === null ? nothing : summary(visit, own, prefix)}
${content(fields)}
</form>`;
}

/** The one alert of a refused form. Each line leads to its field. */
function summary({ texts, language }: Visit, { errors }: SentForm, prefix: string): Markup {
  const { '': ofWhole, ...ofFields } = errors;
  const lines = Object.entries(ofFields);
  return html`<div class="notice danger" role="alert">${icon('alert')}<div>
${ofWhole === undefined ? html`<p class="notice-title">${texts.form.problem}</p>` : html`<p>${describeError(texts, language, ofWhole)}</p>`}
${
  lines.length === 0
    ? nothing
    : html`<ul>${lines.map(([name, error]) => html`<li><a href="#${prefix}-${name}">${describeError(texts, language, error)}</a></li>`)}</ul>`
}
</div></div>`;
}

/** The sentence for a word of `texts.form.errors`. The domain's own sentences are English, for readers of English. */
function describeError(texts: Texts, language: string, error: string | undefined): string | null {
  if (error === undefined) return null;
  const sentences: Record<string, string> = texts.form.errors;
  if (Object.hasOwn(sentences, error)) return sentences[error] ?? null;
  return language === 'en' ? error : texts.form.errors.invalid;
}
