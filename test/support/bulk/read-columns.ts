import { planMapping } from '#common/bulk/check/plan-mapping.ts';
import { readLetter, recipientOf } from '#common/bulk/check/read-letter.ts';
import { peekRows, watchColumns } from '#common/bulk/check/watch-columns.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { toAddressLines } from '#common/documents/addressing/address-lines.ts';

type Asked = Partial<Pick<BulkRecord, 'wantedMapping' | 'ignoredColumns' | 'templateVariables'>>;

/** Reads a list as its check does: what is printed for each row, and what becomes of the columns. */
export async function readColumns(header: readonly string[], list: readonly (readonly string[])[], asked: Asked = {}) {
  async function* rows() {
    for (const [index, cells] of list.entries()) yield { row: index + 2, cells: [...cells] };
  }
  const { sample, rows: all } = await peekRows(rows());
  const bulk = { wantedMapping: null, zone: null, ...asked };
  const { mapping, missing, ignored } = planMapping(
    bulk,
    { kind: 'csv', encoding: 'utf-8', separator: ';' },
    header,
    sample,
  );
  const columns = watchColumns({ header, sample, mapping, ignored, zone: null });
  const read = await Array.fromAsync(columns.watch(all), ({ cells }) => readLetter(cells, mapping, null));
  const letters = read.map((letter) => toAddressLines(recipientOf(letter)));
  return { letters, references: read.map(({ reference }) => reference), mapping, missing, ...columns.found() };
}
