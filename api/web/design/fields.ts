import { html } from 'hono/html';
import type { Texts } from '#api/web/texts/texts.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { type Markup, nothing } from './markup.ts';

export type FieldSetOptions = {
  texts: Texts;
  /** Makes element IDs unique when a page has several forms. */
  prefix: string;
  sent: SentForm;
  typedIn(name: string): string;
  errorOf(name: string): string | null;
  /** For filter forms: no field is required, and none is marked as optional. */
  isFilter?: boolean;
};

type Field = {
  name: string;
  label: string;
  hint?: string | undefined;
  isOptional?: boolean;
  /** In the language of the page, for a fault that is known without a refused form. */
  error?: string | undefined;
};
type TextField = Field & {
  type?: 'text' | 'email' | 'url' | 'number' | 'date' | 'search';
  /** Initial value. */
  value?: string;
  autocomplete?: string;
  maxLength?: number;
};
type Option = { value: string; label: string; hint?: string };
type ChoiceField = Omit<Field, 'isOptional'> & { options: readonly Option[]; chosen?: readonly string[] };

export type Submit = {
  /** The same in every language, because scripts submit forms too. */
  value: string;
  label: string;
  kind?: 'primary' | 'plain' | 'danger';
  describedBy?: string;
  isBig?: boolean;
};

/** Returns the field builders of a form. Each renders a label, a hint and, after a refusal, the error. */
export function fieldSet(options: FieldSetOptions) {
  const { sent, typedIn, isFilter } = options;
  const isSent = sent.path !== null;
  const chosenOf = ({ name, chosen = [] }: ChoiceField) => (isSent ? [sent.values[name] ?? []].flat() : chosen);

  return {
    text: ({ type = 'text', value = '', autocomplete = 'off', maxLength, ...field }: TextField): Markup =>
      oneField(
        options,
        field,
        (ids) =>
          html`<input type="${type}" name="${field.name}" value="${isSent ? typedIn(field.name) : value}" autocomplete="${autocomplete}"${maxLength === undefined ? nothing : html` maxlength="${maxLength}"`}${field.isOptional || isFilter ? nothing : html` required`}${ids}>`,
      ),

    /** Never repeats the submitted value. */
    password: ({ autocomplete, ...field }: Field & { autocomplete: 'current-password' | 'new-password' }): Markup =>
      oneField(
        options,
        field,
        (ids) => html`<input type="password" name="${field.name}" autocomplete="${autocomplete}" required${ids}>`,
      ),

    /** Browsers never repeat a chosen file, and `accept` is only a suggestion to them. */
    file: ({ accept, ...field }: Field & { accept: readonly string[] }): Markup =>
      oneField(
        options,
        field,
        (ids) =>
          html`<input type="file" name="${field.name}" accept="${accept.join(',')}"${field.isOptional ? nothing : html` required`}${ids}>`,
      ),

    longText: ({ value = '', rows = 4, ...field }: Field & { value?: string; rows?: number }): Markup =>
      oneField(
        options,
        field,
        (ids) =>
          html`<textarea name="${field.name}" rows="${rows}"${field.isOptional ? nothing : html` required`}${ids}>${isSent ? typedIn(field.name) : value}</textarea>`,
      ),

    select: (field: ChoiceField): Markup =>
      oneField(options, field, (ids) => {
        const chosen = chosenOf(field);
        return html`<select name="${field.name}"${ids}>${field.options.map(
          ({ value, label }) =>
            html`<option value="${value}"${chosen.includes(value) ? html` selected` : nothing}>${label}</option>`,
        )}</select>`;
      }),

    radios: (field: ChoiceField): Markup => groupOf(options, field, 'radio', chosenOf(field)),
    checkboxes: (field: ChoiceField): Markup => groupOf(options, field, 'checkbox', chosenOf(field)),

    hidden: (name: string, value: string): Markup => html`<input type="hidden" name="${name}" value="${value}">`,

    submit: ({ value, label, kind = 'primary', describedBy, isBig = false }: Submit): Markup =>
      html`<button class="button ${isBig ? 'big ' : ''}${kind}" name="action" value="${value}"${describedBy === undefined ? nothing : html` aria-label="${describedBy}"`}>${label}</button>`,
  };
}

type Ids = { id: string; hintId: string; errorId: string; error: string | null; described: string };

function idsOf({ prefix, errorOf }: FieldSetOptions, { name, hint, error: known }: Field): Ids {
  const id = `${prefix}-${name}`;
  const error = known ?? errorOf(name);
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [hint === undefined ? '' : hintId, error === null ? '' : errorId]
    .filter((part) => part !== '')
    .join(' ');
  return { id, hintId, errorId, error, described };
}

function oneField(options: FieldSetOptions, field: Field, control: (ids: Markup) => Markup): Markup {
  const ids = idsOf(options, field);
  const { id, error, described } = ids;
  const attributes = html` id="${id}"${described === '' ? nothing : html` aria-describedby="${described}"`}${error === null ? nothing : html` aria-invalid="true"`}`;
  return html`<div class="field${error === null ? '' : ' wrong'}">
<label for="${id}">${field.label}${field.isOptional ? html` <span class="optional">(${options.texts.form.optional})</span>` : nothing}</label>
${hintAndError(field, ids)}
${control(attributes)}
</div>`;
}

function groupOf(
  options: FieldSetOptions,
  field: ChoiceField,
  type: 'radio' | 'checkbox',
  chosen: readonly string[],
): Markup {
  const ids = idsOf(options, field);
  const { id, error, described } = ids;
  return html`<fieldset class="field${error === null ? '' : ' wrong'}" id="${id}" tabindex="-1"${described === '' ? nothing : html` aria-describedby="${described}"`}>
<legend>${field.label}</legend>
${hintAndError(field, ids)}
<div class="choices">${field.options.map(({ value, label, hint }) => {
    const optionId = `${id}-${value}`;
    return html`<div class="choice"><input type="${type}" name="${field.name}" value="${value}" id="${optionId}"${chosen.includes(value) ? html` checked` : nothing}${hint === undefined ? nothing : html` aria-describedby="${optionId}-hint"`}><label for="${optionId}">${label}</label>${hint === undefined ? nothing : html`<p class="hint" id="${optionId}-hint">${hint}</p>`}</div>`;
  })}</div>
</fieldset>`;
}

function hintAndError({ hint }: Field, { hintId, errorId, error }: Ids): Markup {
  return html`${hint === undefined ? nothing : html`<p class="hint" id="${hintId}">${hint}</p>`}
${error === null ? nothing : html`<p class="error" id="${errorId}">${error}</p>`}`;
}
