import { pointsPerMm } from '../sheet/a4.ts';
import { round, type Stamp } from '../sheet/append-stamps.ts';
import { sheetMarkBox } from '../sheet/envelope-schemes.ts';

/** Side of a module in mm. The largest symbol that a mark needs, 26 modules, fills the box with its quiet zone. */
const moduleMm = 0.3;

/** Draws the marks of sheets. */
export type SheetMarks = {
  /** Returns the mark of a sheet, numbered from 1. */
  draw(itemId: string, sheet: number, sheets: number): Stamp;
};

/**
 * Returns what a mark says: `BJ1 <item id> <n>/<m>`, n being the sheet and m the number of sheets of the item. All is in
 * capitals, which take two thirds of the room; item ids are in lower case, so a reader restores them.
 */
export function toMarkText(itemId: string, sheet: number, sheets: number): string {
  return `BJ1 ${itemId} ${sheet}/${sheets}`.toUpperCase();
}

/** Loads the encoder of data matrices (ISO/IEC 16022, ECC 200): 25 ms of CPU at the first call. */
export async function loadSheetMarks(): Promise<SheetMarks> {
  const { default: bwip } = await import('bwip-js/generic');
  return {
    draw(itemId, sheet, sheets) {
      const [symbol] = bwip.raw({ bcid: 'datamatrix', text: toMarkText(itemId, sheet, sheets) });
      if (!symbol || !('pixs' in symbol)) throw new Error('bwip-js returned no matrix');
      return { boxMm: sheetMarkBox, content: drawMatrix(Array.from(symbol.pixs), symbol.pixx) };
    },
  };
}

/** Draws the dark modules as one path on a white box. A run of modules in a row is one rectangle. */
function drawMatrix(modules: readonly number[], side: number): string {
  const boxPoints = sheetMarkBox.width * pointsPerMm;
  const modulePoints = moduleMm * pointsPerMm;
  const edge = (boxPoints - side * modulePoints) / 2;
  if (edge < modulePoints) throw new Error(`A data matrix of ${side} modules does not fit.`);

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
  const scale = `${round(modulePoints)} 0 0 ${round(modulePoints)} ${round(edge)} ${round(edge)} cm`;
  return `1 g 0 0 ${round(boxPoints)} ${round(boxPoints)} re f\n0 g ${scale}\n${path}f`;
}
