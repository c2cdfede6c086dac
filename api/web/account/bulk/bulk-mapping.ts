import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { section } from '#api/web/design/page-parts.ts';
import type { SentForm } from '#api/web/framework/forms/sent-form.ts';
import type { Visit } from '#api/web/framework/visit.ts';
import type { BulkRecord, NamedMapping } from '#common/bulk/model/bulk.model.ts';
import { type BulkField, bulkFields } from '#common/bulk/model/bulk-fields.ts';
import { bulkPath } from './bulk-parts.ts';

/** Fields that lists often have in two columns: first and last name, street and number. */
const pairedFields: readonly BulkField[] = ['name', 'line1'];

const inputs = [...bulkFields, ...pairedFields.map((field) => `${field}2` as const)];
const column = z.string().max(200).optional();

/** The form: a column name per field, blank for none. Variables have the prefix `v:`. */
export const mappingForm = z.object(Object.fromEntries(inputs.map((name) => [name, column]))).catchall(column);

/** Returns what the form asks for. A field that is not in the form has no column. */
export function toMapping(form: z.output<typeof mappingForm>): NamedMapping {
  const chosen = (name: string) => (form[name] ? [form[name]] : []);
  const fields = Object.fromEntries(bulkFields.map((field) => [field, [...chosen(field), ...chosen(`${field}2`)]]));
  const variables = Object.entries(form).flatMap(([name, value]) =>
    name.startsWith('v:') && value ? [[name.slice(2), value] as const] : [],
  );
  return { fields, variables: Object.fromEntries(variables) };
}

/** Renders the choice of a column for each field. */
export function bulkMapping(visit: Visit, bulk: BulkRecord, sent: SentForm): Markup {
  const words = visit.texts.bulk;
  const { header, mapping, missing, format } = bulk;
  const options = [{ value: '', label: words.noColumn }, ...header.map((name) => ({ value: name, label: name }))];
  const fields = bulkFields.filter((field) => field !== 'file' || format?.kind === 'zip');
  const labels: Record<string, string> = words.fields;
  const names = missing.map((name) => labels[name] ?? name.replace('variables.', ''));
  const nameOf = (index: number | undefined) => [index === undefined ? '' : (header[index] ?? '')];
  return section(
    words.columns,
    html`<p>${words.columnsLead}</p>
${missing.length === 0 ? nothing : notice('warning', words.missing(visit.format.list(names)))}
${postForm(
  { visit, sent, action: `${bulkPath}/${bulk._id}/mapping` },
  (form) => html`<div class="paired">${fields.map((field) => {
    const [first, second] = mapping?.fields[field] ?? [];
    const label = words.fields[field];
    const select = (name: string, text: string, index: number | undefined) =>
      form.select({ name, label: text, options, chosen: nameOf(index) });
    return html`${select(field, label, first)}${pairedFields.includes(field) ? select(`${field}2`, words.secondColumn(label), second) : nothing}`;
  })}${(bulk.templateVariables ?? []).map((name) => {
    const known = mapping?.variables.find((each) => each.name === name);
    return form.select({ name: `v:${name}`, label: name, options, chosen: nameOf(known?.column) });
  })}</div>
<p class="actions">${form.submit({ value: 'map', label: words.checkAgain, kind: missing.length === 0 ? 'plain' : 'primary' })}</p>`,
)}`,
  );
}
