import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { section } from '#api/web/design/page-parts.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import type { ColumnChoice } from '#common/bulk/actions/change-bulk.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import {
  type BulkField,
  bulkFields,
  type FieldSeparator,
  fieldSeparators,
  maxJoinedColumns,
} from '#common/bulk/model/bulk-fields.ts';
import type { RememberedMapping } from '#common/bulk/read/find-remembered-mapping.ts';
import { isCountryCode } from '#common/countries.ts';
import { recipientVariableOf } from '#common/templates/recipient-values.ts';
import { countryOptions } from '../addresses/address-form.ts';
import { bulkPath } from './bulk-parts.ts';
import type { Visit } from './texts.ts';

/** Fields that lists often have in several columns. Each has a free choice for one more. */
const joinedFields: readonly BulkField[] = ['name', 'line1', 'line2'];

/** Of a field that had one column until now: the form does not ask before there are two. */
const usualSeparators: Partial<Record<BulkField, FieldSeparator>> = { line2: ', ' };

const column = z.string().max(200).optional();
const inputs = bulkFields.flatMap((field) => Array.from({ length: maxJoinedColumns }, (_, at) => inputName(field, at)));
const separators = bulkFields.map((field) => [`${field}-between`, z.enum(fieldSeparators).optional()] as const);

/** The form: a column name for each place of a field, blank for none. Variables have the prefix `v:`. */
export const mappingForm = z
  .object({
    ...Object.fromEntries(inputs.map((name) => [name, column])),
    ignored: z.preprocess((value) => [value ?? []].flat(), z.array(z.string().max(200)).max(200)),
  })
  .catchall(column)
  .and(z.object(Object.fromEntries(separators)));

function inputName(field: BulkField, at: number): string {
  return at === 0 ? field : `${field}${at + 1}`;
}

/** Returns what the form asks for. A field that is not in the form has no column. */
export function toChoice(form: z.output<typeof mappingForm>): ColumnChoice {
  const text = (name: string) => (typeof form[name] === 'string' ? form[name] : '');
  const columnsOf = (field: BulkField) =>
    Array.from({ length: maxJoinedColumns }, (_, at) => text(inputName(field, at))).filter((name) => name !== '');
  const fields = Object.fromEntries(bulkFields.map((field) => [field, columnsOf(field)]));
  const between = bulkFields.flatMap((field) => {
    const chosen = fieldSeparators.find((each) => each === form[`${field}-between`]) ?? usualSeparators[field];
    return chosen === undefined || chosen === ' ' ? [] : [[field, chosen] as const];
  });
  const variables = Object.keys(form).flatMap((name) =>
    name.startsWith('v:') && text(name) !== '' ? [[name.slice(2), text(name)] as const] : [],
  );
  const defaultCountry = text('defaultCountry');
  const mapping = {
    ...{ fields, variables: Object.fromEntries(variables), separators: Object.fromEntries(between) },
    ...(isCountryCode(defaultCountry) && { defaultCountry }),
  };
  return { mapping, ignoredColumns: form.ignored };
}

export type MappingScene = {
  bulk: BulkRecord;
  sent: SentForm;
  /** The cells of the first rows. */
  examples: readonly (readonly string[])[];
  /** What was chosen for the last list with this heading. The form proposes it. */
  remembered: RememberedMapping | null;
};

/** Renders the choice of the columns of each field, and which of the others are not needed. */
export function bulkMapping(visit: Visit, { bulk, sent, examples, remembered }: MappingScene): Markup {
  const words = visit.texts.bulk;
  const variableLabel = visit.texts.words.variable;
  const { header, missing, format } = bulk;
  const undecided = bulk.undecidedColumns ?? [];
  const shown = remembered?.mapping ?? bulk.mapping;
  const ignored = remembered?.ignoredColumns ?? bulk.ignoredColumns ?? [];
  const labels: Record<string, string> = words.fields;
  const labelOf = (index: number) => {
    const example = examples.map((cells) => cells[index]?.trim() ?? '').find((text) => text !== '');
    return example === undefined ? (header[index] ?? '') : words.columnLike(header[index] ?? '', shorten(example));
  };
  const options = [
    { value: '', label: words.noColumn },
    ...header.map((name, index) => ({ value: name, label: labelOf(index) })),
  ];
  const labelOfField = (name: string) => labels[name] ?? variableLabel(name.replace('variables.', ''));
  const names = missing.filter((name) => name !== 'country').map(labelOfField);
  const nameOf = (index: number | undefined) => [index === undefined ? '' : (header[index] ?? '')];
  const used = [...Object.values(shown?.fields ?? {}).flat(), ...(shown?.variables ?? []).map(({ column: at }) => at)];
  const isUnused = (name: string) => !used.includes(header.indexOf(name));
  const doubtful = [...new Set([...undecided, ...ignored])].filter(isUnused).map((name) => ({
    value: name,
    label: labelOf(header.indexOf(name)),
  }));
  const isAsked = missing.length > 0 || undecided.length > 0;
  return section(
    words.columns,
    html`<p>${words.columnsLead}</p>
${names.length === 0 ? nothing : notice('warning', words.missing(visit.format.list(names)))}
${missing.includes('country') ? notice('warning', words.missingCountry(words.defaultCountry)) : nothing}
${undecided.length === 0 ? nothing : notice('warning', words.undecided(visit.format.list(undecided)))}
${remembered === null ? nothing : notice('info', words.remembered(visit.format.date(remembered.at)))}
${postForm(
  { visit, sent, action: `${bulkPath}/${bulk._id}/mapping` },
  (form) => html`<div class="paired">${bulkFields
    .filter((field) => field !== 'file' || format?.kind === 'zip')
    .map((field) => {
      const columns = shown?.fields[field] ?? [];
      const free = joinedFields.includes(field) || columns.length > 1 ? 1 : 0;
      const places = Math.min(Math.max(columns.length + free, 1 + free), maxJoinedColumns);
      const label = words.fields[field];
      const between = {
        name: `${field}-between`,
        label: words.between(label),
        options: fieldSeparators.map((value) => ({ value, label: words.separatorNames[value] })),
        chosen: [shown?.separators?.[field] ?? ' '],
      };
      return html`${Array.from({ length: places }, (_, at) =>
        form.select({
          ...{ name: inputName(field, at), label: at === 0 ? label : words.nextColumn(label, at + 1) },
          ...{ options, chosen: nameOf(columns[at]) },
        }),
      )}${columns.length > 1 ? form.select(between) : nothing}`;
    })}${(bulk.templateVariables ?? []).map((name) => {
    const known = shown?.variables.find((each) => each.name === name);
    const none = { value: '', label: words.asInAddress };
    const choices = recipientVariableOf(name) ? [none, ...options.slice(1)] : options;
    const label = variableLabel(name);
    return form.select({ name: `v:${name}`, label, options: choices, chosen: nameOf(known?.column) });
  })}${form.select({
    ...{ name: 'defaultCountry', label: words.defaultCountry, chosen: [shown?.defaultCountry ?? ''] },
    options: [{ value: '', label: words.noDefaultCountry }, ...countryOptions[visit.language]],
  })}</div>
${doubtful.length === 0 ? nothing : form.checkboxes({ name: 'ignored', label: words.notNeeded, options: doubtful, chosen: ignored })}
<p class="actions">${form.submit({ value: 'map', label: words.checkAgain, kind: isAsked ? 'primary' : 'plain' })}</p>`,
)}`,
  );
}

const maxExample = 24;
const shorten = (text: string) => (text.length > maxExample ? `${text.slice(0, maxExample).toWellFormed()}…` : text);
