import { html } from 'hono/html';
import type { Texts } from '#api/web/texts/texts.ts';
import { noForm, type SentForm, textOf } from '#api/web/visit/sent-form.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { fieldSet, type Submit } from './fields.ts';
import { icon } from './icon.ts';
import { type Markup, nothing } from './markup.ts';

export type PostFormOptions = {
  visit: Visit;
  sent: SentForm;
  /** Path of the action, without the language. */
  action: string;
  /** Use a CSRF token that is valid for one submission. */
  once?: boolean;
  /** Render on one line, for example in a table row. */
  isInline?: boolean;
  /** Sends files too. The action declares their limits. */
  hasFiles?: boolean;
};

/**
 * Renders a form that posts, with its CSRF token, an alert after a refusal, and the fields from `content`. After a
 * refusal, the fields keep the submitted values and show their errors. Other forms on the page are not affected.
 */
export function postForm(
  { visit, sent, action, once = false, isInline = false, hasFiles = false }: PostFormOptions,
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
  return html`<form method="post" action="${visit.href(action)}" novalidate${hasFiles ? html` enctype="multipart/form-data"` : nothing}${isInline ? html` class="inline"` : nothing}>
${once ? visit.csrf.fieldOnce() : visit.csrf.field()}
${own.path === null ? nothing : summary(visit, own, prefix)}
${content(fields)}
</form>`;
}

type ButtonFormOptions = Pick<PostFormOptions, 'visit' | 'action'> & {
  sent?: SentForm;
  /** Values to submit, by field name. */
  hidden?: Record<string, string>;
};

/** Renders a form that is only a button on one line. */
export function buttonForm({ visit, action, sent = noForm, hidden = {} }: ButtonFormOptions, submit: Submit): Markup {
  return postForm(
    { visit, sent, action, isInline: true },
    (fields) =>
      html`${Object.entries(hidden).map(([name, value]) => fields.hidden(name, value))}${fields.submit(submit)}`,
  );
}

type ConfirmFormOptions = Pick<PostFormOptions, 'visit' | 'sent' | 'action'> & {
  /** Of the button, which is red. */
  submit: Omit<Submit, 'kind'>;
  /** The link that changes nothing. */
  keep: { label: string; path: string };
};

/** Renders the form that confirms what cannot be undone. */
export function confirmForm({ visit, sent, action, submit, keep }: ConfirmFormOptions): Markup {
  return postForm(
    { visit, sent, action },
    (fields) =>
      html`<div class="actions">${fields.submit({ ...submit, kind: 'danger' })}<a class="button plain" href="${visit.href(keep.path)}">${keep.label}</a></div>`,
  );
}

/** Renders the alert of a refused form. Each line links to its field. */
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

/** Returns the text for a key of `texts.form.errors`. Messages from `common` exist only in English. */
function describeError(texts: Texts, language: string, error: string | undefined): string | null {
  if (error === undefined) return null;
  const sentences: Record<string, string> = texts.form.errors;
  if (Object.hasOwn(sentences, error)) return sentences[error] ?? null;
  return language === 'en' ? error : texts.form.errors.invalid;
}
