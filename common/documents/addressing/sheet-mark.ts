import { pointsPerMm } from '../sheet/a4.ts';
import { round, type Stamp } from '../sheet/append-stamps.ts';
import { sheetMarkBox } from '../sheet/envelope-schemes.ts';
import { type DataMatrix, encodeDataMatrix } from './encode-data-matrix.ts';

/** Side of a module in mm. The largest symbol, 26 modules, fills the box with its quiet zone. */
const moduleMm = 0.3;

/**
 * Returns what the mark of a sheet says: `BJ1 <item id> <n>/<m>`, n being the sheet, from 1, and m the number of sheets of
 * the item. All is in capitals, which take two thirds of the room. Item ids are in lower case, so a reader restores them.
 */
export function toMarkText(itemId: string, sheet: number, sheets: number): string {
  return `BJ1 ${itemId} ${sheet}/${sheets}`.toUpperCase();
}

/** Draws the mark of a sheet: a data matrix on a white box, in the margin. */
export function drawSheetMark(itemId: string, sheet: number, sheets: number): Stamp {
  const matrix = encodeDataMatrix(toMarkText(itemId, sheet, sheets));
  const boxPoints = round(sheetMarkBox.width * pointsPerMm);
  const modulePoints = moduleMm * pointsPerMm;
  const edge = round((boxPoints - matrix.side * modulePoints) / 2);
  const scale = round(modulePoints);
  const modules = `${scale} 0 0 ${scale} ${edge} ${edge} cm\n${fillModules(matrix)}`;
  return { boxMm: sheetMarkBox, content: `1 g 0 0 ${boxPoints} ${boxPoints} re f\n0 g ${modules}` };
}

/**
 * Returns operators that fill the dark modules, each 1 x 1, from the lower left corner of the matrix. A run of modules in
 * a row is one rectangle.
 */
export function fillModules({ side, modules }: DataMatrix): string {
  let path = '';
  for (let row = 0; row < side; row += 1) {
    const y = side - 1 - row;
    for (let column = 0; column < side; column += 1) {
      if (modules[row * side + column] !== 1) continue;
      const from = column;
      while (column + 1 < side && modules[row * side + column + 1] === 1) column += 1;
      path += `${from} ${y} ${column + 1 - from} 1 re\n`;
    }
  }
  return `${path}f`;
}
