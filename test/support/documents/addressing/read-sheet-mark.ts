import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { sheetMarkBox } from '#common/documents/sheet/envelope-schemes.ts';
import type { GreyPage } from '../draw-grey.ts';
import { cropPage } from './compare-pages.ts';

const require = createRequire(import.meta.url);
/** Blank paper around the mark, as a camera sees it. */
const aroundMm = 4;

let isPrepared = false;

/** Reads the data matrix in a picture by an independent decoder. Null if there is none. */
export async function readDataMatrix({ width, height, pixels }: GreyPage): Promise<string | null> {
  if (!isPrepared) {
    // Without the file, the package would fetch it from the network.
    const wasm = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
    isPrepared = true;
  }
  const picture = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
  const found = await readBarcodes(new Uint8Array(picture), { formats: ['DataMatrix'] });
  return found[0]?.text ?? null;
}

/** Reads the mark of a sheet from its drawn page. Null if there is none. */
export function readSheetMark(page: GreyPage, dotsPerInch: number): Promise<string | null> {
  const { x, y, width, height } = sheetMarkBox;
  const box = { x: x - aroundMm, y: y - aroundMm, width: width + 2 * aroundMm, height: height + 2 * aroundMm };
  return readDataMatrix(cropPage(page, box, dotsPerInch));
}
