// Level: unit
import fc from 'fast-check';
import { openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { encodeDataMatrix } from '#common/documents/addressing/encode-data-matrix.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { itemId, plainPrintFile, recipient, sender } from '#test/support/documents/addressing/build-print-file.ts';
import { readDataMatrix, readSheetMark } from '#test/support/documents/addressing/read-sheet-mark.ts';
import { drawGrey, type GreyPage } from '#test/support/documents/draw-grey.ts';
import { byLevel, describe, expect, test, testWithPrograms } from '#test/support/jest.ts';

const scheme = envelopeSchemes['window-left'];
/** As the camera of an inserting machine sees a sheet. */
const dotsPerInch = 200;

function drawMatrix(text: string): GreyPage {
  const { side, modules } = encodeDataMatrix(text);
  const [scale, edge] = [4, 3];
  const width = (side + 2 * edge) * scale;
  const pixels = Buffer.alloc(width * width, 255);
  for (let i = 0; i < pixels.length; i += 1) {
    const column = Math.floor((i % width) / scale) - edge;
    const row = Math.floor(i / width / scale) - edge;
    if (column >= 0 && column < side && row >= 0 && row < side && modules[row * side + column] === 1) pixels[i] = 0;
  }
  return { width, height: width, pixels };
}

describe('the mark of a sheet', () => {
  const test = testWithPrograms('pdftoppm');

  test.each([
    { pages: 1, placement: 'page', marks: ['1/1'] },
    { pages: 2, placement: 'page', marks: ['1/1', null] },
    { pages: 3, placement: 'page', marks: ['1/2', null, '2/2'] },
    { pages: 5, placement: 'none', marks: ['1/3', null, '2/3', null, '3/3'] },
    { pages: 1, placement: 'cover', marks: ['1/2', null, '2/2'] },
    { pages: 2, placement: 'cover', marks: ['1/2', null, '2/2', null] },
    { pages: 3, placement: 'cover', marks: ['1/3', null, '2/3', null, '3/3'] },
    { pages: 3, placement: 'page', doubleSided: false, marks: ['1/3', '2/3', '3/3'] },
    { pages: 2, placement: 'cover', doubleSided: false, marks: ['1/3', '2/3', '3/3'] },
  ] as const)('$pages pages ($placement) have the marks $marks', async ({ pages, placement, marks, ...sides }) => {
    const print = plainPrintFile(pages);
    const maker = await openCopyMaker({ bytes: print }, { scheme, placement, sender, ...sides });
    const copy = maker.make({ itemId, address: recipient });
    expect(copy.pageCount).toBe(marks.length);

    const drawn = await drawGrey(Buffer.concat([print, copy.tail]), dotsPerInch);
    const read = await Promise.all(drawn.map((page) => readSheetMark(page, dotsPerInch)));
    expect(read).toEqual(marks.map((mark) => mark && `BJ1 ${itemId.toUpperCase()} ${mark}`));
  });

  test('the mark of the last of a thousand sheets reads back', async () => {
    const print = plainPrintFile(2000);
    const maker = await openCopyMaker({ bytes: print }, { scheme, placement: 'none', sender });
    const { tail } = maker.make({ itemId, address: recipient });
    const drawn = await drawGrey(Buffer.concat([print, tail]), dotsPerInch, { from: 1999, to: 1999 });
    expect(await readSheetMark(drawn[0] as GreyPage, dotsPerInch)).toBe(`BJ1 ${itemId.toUpperCase()} 1000/1000`);
  });
});

describe('a data matrix', () => {
  test('reads back for any item, sheet and number of sheets', async () => {
    const id = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    const sheet = fc.nat(1000);
    const claim = fc.asyncProperty(id, sheet, sheet, async (letters, n, m) => {
      const text = `BJ1 MI_${letters} ${n}/${m}`;
      expect(await readDataMatrix(drawMatrix(text))).toBe(text);
    });
    await fc.assert(claim, { numRuns: byLevel({ quick: 50, full: 200, long: 1000 }) });
  });

  test.each([20, 22, 24, 26])('of %i modules reads back', async (side) => {
    const texts = ['SHORT', 'BJ1 MI_01H455VB4PEX5VSKNK 1/5', `BJ1 ${'A'.repeat(40)}`, `BJ1 ${'A'.repeat(50)}/-+`];
    const text = texts.find((words) => encodeDataMatrix(words).side === side) ?? '';
    expect(await readDataMatrix(drawMatrix(text))).toBe(text);
  });

  test('a text that is too long or in small letters is an error', () => {
    expect(() => encodeDataMatrix('A'.repeat(70))).toThrow(RangeError);
    expect(() => encodeDataMatrix('mi_0')).toThrow(RangeError);
  });
});
