import { html } from 'hono/html';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import type { Visit } from '#api/web/framework/visit.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import type { RowFault } from '#common/bulk/model/bulk-row.model.ts';
import type { SentRow } from '#common/bulk/read/read-bulk.ts';
import { bulkPath } from './bulk-parts.ts';

/** Rows with faults on the page. The download has all. */
export const maxShownRows = 20;
/** Columns of the table, to keep it readable. */
const maxColumns = 12;

/** Renders the first rows with faults: in each cell the message above the value. Empty without faults. */
export function bulkFaults(visit: Visit, bulk: BulkRecord, rows: readonly SentRow[]): Markup {
  if (rows.length === 0) return nothing;
  const { texts, format, href } = visit;
  const words = texts.bulk;
  const describe = ({ code, detail }: RowFault) => words.rowFaults[code](detail ?? '');
  const columns = shownColumns(bulk, rows);
  const faultOf = ({ record }: SentRow, column: number | null) =>
    record.faults.find((fault) => fault.column === column);
  const all = bulk.confirmedAt === null ? bulk.counts.faulty : bulk.progress.refused;
  const hasRowFaults = rows.some((row) => faultOf(row, null));
  return section(
    words.faults,
    html`<p>${words.faultsLead(format.number(rows.length), format.number(all))}</p>
<p class="actions"><a class="button plain" href="${href(`${bulkPath}/${bulk._id}/faults`)}">${words.downloadFaults}</a></p>
${table<SentRow>(
  words.faults,
  [
    { label: words.row, isNumber: true, cell: ({ record }) => html`<strong>${format.number(record.row)}</strong>` },
    ...(hasRowFaults ? [{ label: words.ofRow, cell: (row: SentRow) => message(faultOf(row, null), describe) }] : []),
    ...columns.map((column) => ({
      label: bulk.header[column] ?? '',
      cell: (row: SentRow) =>
        html`<div>${message(faultOf(row, column), describe)}<span class="value breakable">${shorten(row.record.cells[column] ?? '')}</span></div>`,
    })),
  ],
  rows,
)}`,
  );
}

function message(fault: RowFault | undefined, describe: (fault: RowFault) => string): Markup {
  return fault === undefined ? nothing : html`<span class="cell-fault">${describe(fault)}</span>`;
}

/** The columns that a letter uses, and any other with a fault. */
function shownColumns({ mapping }: BulkRecord, rows: readonly SentRow[]): number[] {
  const used = [
    ...Object.values(mapping?.fields ?? {}).flat(),
    ...(mapping?.variables ?? []).map(({ column }) => column),
  ];
  const faulty = rows.flatMap(({ record }) => record.faults.flatMap(({ column }) => column ?? []));
  return [...new Set([...faulty, ...used])].slice(0, maxColumns).sort((left, right) => left - right);
}

const maxLength = 80;
const shorten = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text);
