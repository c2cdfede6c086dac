import iconv from 'iconv-lite';
import { nameColumns } from '#common/bulk/check/name-columns.ts';
import { countFields } from '#common/bulk/check/plan-mapping.ts';
import { singleByteEncodings } from '#common/bulk/file/encoding/table-encodings.ts';
import { findHeading } from '#common/bulk/file/find-heading.ts';
import { readCsv } from '#common/bulk/file/read-csv.ts';
import { readXlsx } from '#common/bulk/file/read-xlsx.ts';
import type { RowWriter } from '#common/bulk/file/row-writer.ts';
import { readZipDirectory } from '#common/bulk/file/zip-directory.ts';
import { aWorkbook } from './workbook.ts';

export type FileShape = { kind: 'csv' | 'xlsx'; separator: string; seed: number; hasTitle: boolean };
type Cells = readonly string[];

/** Writes a list to a file of this shape and reads it as workers do, in this process: its heading and its rows. */
export async function throughFile(all: readonly Cells[], { kind, separator, seed, hasTitle }: FileShape) {
  const list = hasTitle ? [['Ledenlijst 2026'], [], ...all] : all;
  const { rows, writer } = keepRows();
  if (kind === 'xlsx') {
    await readXlsx(await readZipDirectory(toWorkbook(list)), writer, { reading: {}, language: 'en' });
  } else {
    const quote = (cell: string) => (/[;,\t|^"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    const text = list.map((cells) => cells.map(quote).join(separator)).join('\r\n');
    const known = ['utf-8', 'utf-16le', 'utf-16be', ...singleByteEncodings] as const;
    // A Polish word alone among Dutch ones could be one of these in code page 850.
    const sure = known.filter((each) => each !== 'cp852');
    const able = sure.filter((each) => iconv.decode(iconv.encode(text, each), each) === text);
    const encoding = able[seed % able.length] ?? 'utf-8';
    const bytes = iconv.encode(text, encoding);
    const { likely } = await readCsv(bytes, writer, {});
    // The list asks, and its owner knows.
    if (likely) {
      writer.restart();
      await readCsv(bytes, writer, { encoding });
    }
  }
  const { heading, letters } = findHeading(rows, { countFields, wanted: undefined });
  return { header: nameColumns(heading.cells), list: letters.map(({ cells }) => cells) };
}

function keepRows() {
  const rows: { row: number; cells: string[] }[] = [];
  let row = 0;
  const writer: RowWriter = {
    add(cells) {
      row += 1;
      if (cells.some((cell) => cell !== '')) rows.push({ row, cells: [...cells] });
    },
    count: () => rows.length,
    width: () => Math.max(0, ...rows.map(({ cells }) => cells.length)),
    restart() {
      [rows.length, row] = [0, 0];
    },
    finish() {},
  };
  return { rows, writer };
}

/** Cells below each other with the same text are merged. */
function toWorkbook(list: readonly Cells[]): Buffer {
  const nameOf = (column: number) => String.fromCharCode('A'.charCodeAt(0) + column);
  const toXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const merged: string[] = [];
  const rows = list.map((cells, row) => {
    const written = cells.map((text, column) => {
      const ref = `${nameOf(column)}${row + 1}`;
      if (text === '' || text === list[row - 1]?.[column]) return '';
      const same = list.slice(row).findIndex((other) => other[column] !== text);
      const to = same < 0 ? list.length : row + same;
      if (to > row + 1) merged.push(`${ref}:${nameOf(column)}${to}`);
      return `<c r="${ref}" t="inlineStr"><is><t>${toXml(text)}</t></is></c>`;
    });
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  const tail = `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  return aWorkbook({ sheet: `<worksheet><sheetData>${rows.join('')}</sheetData>${tail}</worksheet>` });
}
