import { html } from 'hono/html';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import type { RowFault } from '#common/bulk/model/bulk-row.model.ts';
import type { SentRow } from '#common/bulk/read/read-bulk.ts';
import { bulkPath } from './bulk-parts.ts';
import type { Visit } from './texts.ts';

/** Rows with faults on the page. The download has all. */
export const maxShownRows = 20;
/** Columns of the table, to keep it readable. */
const maxColumns = 12;

/** Renders the first rows with faults, or without but with warnings: in each cell the messages above the value. */
export function bulkFaults(
  visit: Visit,
  bulk: BulkRecord,
  rows: readonly SentRow[],
  kind: 'faults' | 'warnings' = 'faults',
): Markup {
  if (rows.length === 0) return nothing;
  const { texts, format, href } = visit;
  const words = texts.bulk;
  const faulty = bulk.confirmedAt === null ? bulk.counts.faulty : bulk.progress.refused;
  const all = kind === 'faults' ? faulty : (bulk.counts.warned ?? 0);
  const lead = kind === 'faults' ? words.faultsLead : words.warningsLead;
  const columns = shownColumns(bulk, rows);
  const messages = ({ record }: SentRow, column: number | null) => {
    const show = (found: readonly RowFault[], style: string) =>
      found
        .filter((each) => each.column === column)
        .map(({ code, detail }) => html`<span class="${style}">${words.rowFaults[code](detail ?? '')}</span>`);
    return [...show(record.faults, 'cell-fault'), ...show(record.warnings, 'cell-warning')];
  };
  const hasOfRow = rows.some((row) => messages(row, null).length > 0);
  return section(
    words[kind],
    html`<p>${lead(format.number(rows.length), format.number(all))}</p>
<p class="actions"><a class="button plain" href="${href(`${bulkPath}/${bulk._id}/faults`)}">${words.downloadFaults}</a></p>
${table<SentRow>(
  words[kind],
  [
    { label: words.row, isNumber: true, cell: ({ record }) => html`<strong>${format.number(record.row)}</strong>` },
    ...(hasOfRow ? [{ label: words.ofRow, cell: (row: SentRow) => html`${messages(row, null)}` }] : []),
    ...columns.map((column) => ({
      label: bulk.header[column] ?? '',
      cell: (row: SentRow) =>
        html`<div>${messages(row, column)}<span class="value breakable">${shorten(row.record.cells[column] ?? '')}</span></div>`,
    })),
  ],
  rows,
)}`,
  );
}

/** The columns that a letter uses, and any other with a fault or a warning. */
function shownColumns({ mapping }: BulkRecord, rows: readonly SentRow[]): number[] {
  const used = [
    ...Object.values(mapping?.fields ?? {}).flat(),
    ...(mapping?.variables ?? []).map(({ column }) => column),
  ];
  const faulty = rows.flatMap(({ record }) =>
    [...record.faults, ...record.warnings].flatMap(({ column }) => column ?? []),
  );
  return [...new Set([...faulty, ...used])].slice(0, maxColumns).sort((left, right) => left - right);
}

const maxLength = 80;
const shorten = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text);
