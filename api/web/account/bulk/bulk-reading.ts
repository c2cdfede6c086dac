import { html } from 'hono/html';
import { z } from 'zod';
import { buttonForm, postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { section } from '#api/web/design/page-parts.ts';
import { choice } from '#api/web/framework/forms/form-fields.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { tableSeparators } from '#common/bulk/file/detect-separator.ts';
import { chosenEncodings, tableEncodings } from '#common/bulk/file/encoding/table-encodings.ts';
import type { TableFormat } from '#common/bulk/file/read-table.ts';
import { hiddenRowChoices, type Reading } from '#common/bulk/file/reading.ts';
import { maxRowNumber, maxSheetName } from '#common/bulk/file/table-limits.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { findReadingWarnings } from '#common/bulk/model/bulk-format.view.ts';
import { bulkPath } from './bulk-parts.ts';
import type { Visit } from './texts.ts';

const blank = z.literal('');

/** The form: what is blank is recognized, what is absent stays as it was. */
export const readingForm = z.object({
  encoding: choice(tableEncodings).or(blank).optional(),
  separator: choice(tableSeparators).or(blank).optional(),
  sheet: z.string().max(maxSheetName).optional(),
  headerRow: blank
    .or(z.coerce.number({ error: 'invalid' }).int('invalid').min(0, 'invalid').max(maxRowNumber, 'invalid'))
    .optional(),
  hiddenRows: choice(hiddenRowChoices).optional(),
  repairText: z.literal('yes').optional(),
});

/** Returns how the file is to be read after the form. */
export function toReading({ repairText, ...form }: z.output<typeof readingForm>, before: Reading = {}): Reading {
  const asked = { ...before, ...form, ...(repairText && { repairText: true }) };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '' && value !== undefined));
}

const encodingNames: Record<string, string> = {
  ...{ 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16 BE', macintosh: 'Mac Roman' },
  ...{ cp437: 'DOS 437', cp850: 'DOS 850', cp852: 'DOS 852', cp866: 'DOS 866' },
};
const nameOf = (encoding: string) =>
  encodingNames[encoding] ??
  encoding.replace('windows', 'Windows').replace(/^(?:iso|koi)/, (name) => name.toUpperCase());

/** Returns for example `CSV in UTF-8, separated by commas`. */
export function describeFormat(words: Visit['texts']['bulk'], format: TableFormat | null): string {
  if (format === null) return '–';
  const { kind, encoding, separator, sheet = '' } = format;
  if (kind === 'xlsx') return words.formats.xlsx(sheet);
  if (encoding === undefined || separator === undefined) return words.formats.zipXlsx;
  return words.formats[kind](nameOf(encoding), words.separators[separator]);
}

/** Renders what the reader should know about how the list was read, and the choice between likely readings. */
export function readingNotices(visit: Visit, { _id, format, reading, counts }: BulkRecord, sent: SentForm): Markup {
  if (format === null) return nothing;
  const { texts, format: formatter } = visit;
  const words = texts.bulk.reading;
  const action = `${bulkPath}/${_id}/reading`;
  const found = findReadingWarnings(format, reading, counts);
  const lines = found.map(([code, count]) => html`<p>${words.warnings[code](formatter.number(count))}</p>`);
  const isTwice = found.some(([code]) => code === 'twice_encoded');
  const repair = { value: 'repair', label: words.repair, kind: 'plain' } as const;
  const button = html`<div class="actions">${buttonForm({ visit, action, hidden: { repairText: 'yes' } }, repair)}</div>`;
  const warnings = found.length === 0 ? nothing : notice('warning', html`${lines}${isTwice ? button : nothing}`);
  const { likely = [] } = format;
  if (likely.length === 0) return warnings;
  const options = likely.map(({ encoding, cells }) => ({
    value: encoding,
    label: cells.join(' · '),
    hint: nameOf(encoding),
  }));
  return html`${warnings}${section(
    words.chooseTitle,
    html`<p>${words.chooseLead}</p>
${postForm(
  { visit, sent, action },
  (form) => html`${form.radios({ name: 'encoding', label: words.encoding, options })}
<p class="actions">${form.submit({ value: 'read', label: words.readAgain })}</p>`,
)}`,
  )}`;
}

/** Renders the form that reads the list in another way. */
export function bulkReading(visit: Visit, { _id, format, reading = {} }: BulkRecord, sent: SentForm): Markup {
  if (format === null) return nothing;
  const { texts } = visit;
  const words = texts.bulk.reading;
  const { encoding, separator, sheet = '', sheets = [], hiddenRows = 0 } = format;
  const automatic = { value: '', label: words.automatic };
  const encodings = chosenEncodings.map((value) => ({ value, label: nameOf(value) }));
  const separators = tableSeparators.map((value) => ({ value, label: texts.bulk.separators[value] }));
  const hidden = hiddenRowChoices.map((value) => ({ value, label: words.hiddenRowChoices[value] }));
  const names = sheets.map(({ name, isHidden }) => ({ value: name, label: isHidden ? words.hiddenSheet(name) : name }));
  return section(
    words.title,
    html`<p>${words.lead}</p>
${postForm(
  { visit, sent, action: `${bulkPath}/${_id}/reading` },
  (
    form,
  ) => html`<div class="paired">${encoding === undefined ? nothing : form.select({ name: 'encoding', label: words.encoding, options: [automatic, ...encodings], chosen: [reading.encoding ?? ''] })}
${separator === undefined ? nothing : form.select({ name: 'separator', label: words.separator, options: [automatic, ...separators], chosen: [reading.separator ?? ''] })}
${sheets.length < 2 ? nothing : form.select({ name: 'sheet', label: words.sheet, options: names, chosen: [sheet] })}
${hiddenRows === 0 ? nothing : form.select({ name: 'hiddenRows', label: words.hiddenRows, options: hidden, chosen: [reading.hiddenRows ?? 'send'] })}</div>
${form.text({ name: 'headerRow', label: words.headerRow, hint: words.headerRowHint, type: 'number', value: String(reading.headerRow ?? ''), isOptional: true })}
<p class="actions">${form.submit({ value: 'read', label: words.readAgain, kind: 'plain' })}</p>`,
)}`,
  );
}
