import type { Language } from '#common/languages.ts';
import type { BulkMapping } from '../model/bulk-fields.ts';
import type { RowFault } from '../model/bulk-row.model.ts';
import { type CellChange, readCell } from './read-cell.ts';

const faults: readonly CellChange[] = ['cell_error', 'scientific_notation', 'date_in_address'];

/** What a row is read for. `language`: of the template, if there is one. `missing`: the needed fields without a text. */
type Reading = { mapping: BulkMapping; language: Language; isSpreadsheet: boolean; missing: readonly string[] };

/**
 * Returns what a spreadsheet or a program made of the cells that the letter uses, at most one per column. What could be
 * mended is a warning, unless a field that every letter needs is empty then.
 */
export function findChangedCells(
  cells: readonly string[],
  { mapping, language, isSpreadsheet, missing }: Reading,
): { faults: RowFault[]; warnings: RowFault[] } {
  const found = new Map<number, { fault: RowFault; isFault: boolean }>();
  const look = (column: number, field: string | null) => {
    const { change } = readCell(cells[column], field === null ? { language } : { field });
    if (change === null || found.get(column)?.isFault) return;
    // In a spreadsheet, it is the error of a formula that found nothing.
    const code = isSpreadsheet && cells[column]?.trim() === '#N/A' ? 'cell_error' : change;
    const isFault = faults.includes(code) || (code === 'null_word' && field !== null && missing.includes(field));
    found.set(column, { fault: { column, code, detail: null }, isFault });
  };
  for (const [field, columns] of Object.entries(mapping.fields)) for (const column of columns) look(column, field);
  for (const { column } of mapping.variables) look(column, null);
  const of = (isFault: boolean) => [...found.values()].flatMap((each) => (each.isFault === isFault ? each.fault : []));
  return { faults: of(true), warnings: of(false) };
}
