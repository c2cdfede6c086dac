// Level: unit
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import { loadAddressFont } from '#common/documents/addressing/address-font.ts';
import { createFontSubset } from '#common/documents/addressing/font-subset.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { createRandom } from '#test/support/random.ts';

const require = createRequire(import.meta.url);
const path = require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf');
const noLigatures = { liga: false, clig: false, dlig: false };

/** Letters with much kerning, of each script. */
const letters = [...'AVTWYLPFaeowvyrtfij.,-"\' 0123ÀÉŁÖÜßŤďŻžİıΑΓΛΥαγλυΆάώАГТУЬЪДЧаугтйіїєẤệỹ'];

/** Accents that no single character contains, after letters with kerning, and two accents on one letter. */
const accented = ['Та́та', 'AV̀A', 'Y̌o', 'T̃o', 'L̀T', 'Гу́да', 'ə̀̂', 'a̱̍'];

describe('the font of addresses', () => {
  test.each(accented)('the operators that show %s are numbers and glyphs kept apart', async (text) => {
    const font = await loadAddressFont();
    const words = createFontSubset(font).show(font.shape(text), 10, 0, 0);
    const arrays = [...words.matchAll(/\[([^\]]*)\] TJ/g)].map(([, array = '']) => array);
    expect(arrays.length).toBeGreaterThan(0);
    for (const array of arrays)
      expect(array).toMatch(/^(?:<(?:[0-9a-f]{4})+>|(?:^|\s|(?<=>))-?\d+(?:\.\d+)?(?=\s|<|$)|\s)*$/);
    // The widths that the numbers and glyphs add up to are those of the line.
    const numbers = arrays.flatMap((array) =>
      array
        .replaceAll(/<[^>]*>/g, ' ')
        .trim()
        .split(/\s+/)
        .filter(Boolean),
    );
    for (const number of numbers) expect(Math.abs(Number(number))).toBeLessThan(1_500);
  });

  test('sets letters where a layout of the whole line does', async () => {
    const font = await loadAddressFont();
    const fontkit = create(readFileSync(path));
    const { random } = createRandom(1);
    for (let i = 0; i < 500; i += 1) {
      const line = Array.from({ length: 12 }, () => letters[Math.floor(random() * letters.length)]).join('');
      const { glyphs, positions } = fontkit.layout(line, noLigatures);
      const expected = glyphs.map(({ id }, at) => [id, positions[at]?.xAdvance]);
      expect(font.shape(line).glyphs.map(({ glyph, advance }) => [glyph, advance])).toEqual(expected);
    }
  });

  test('sets any printable character where a layout of the whole line does', async () => {
    const font = await loadAddressFont();
    const fontkit = create(readFileSync(path));
    const { random } = createRandom(2);
    const printable = Array.from({ length: 0x2c80 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => !/[\p{M}\p{C}]/u.test(character) && font.findUnprintable(character).length === 0,
    );
    expect(printable.length).toBeGreaterThan(2000);
    // Few characters each, so that the pairs of most lines are known from lines before: two tones can be one glyph.
    const accents = [...'AVxi \u0301\u0323'];
    const tones = [...'\u02e5\u02e9\u02e7\u20441A'];
    const quotes = [...'„”’–ȚșǺ AVT'];
    for (let i = 0; i < 3000; i += 1) {
      const list = [printable, letters, accents, tones, quotes][i % 5] ?? [];
      const line = Array.from({ length: 8 }, () => list[Math.floor(random() * list.length)]).join('');
      const { glyphs, positions } = fontkit.layout(line, noLigatures);
      const expected = glyphs.map(({ id }, at) => [id, positions[at]?.xAdvance, positions[at]?.xOffset]);
      expect(font.shape(line).glyphs.map(({ glyph, advance, xOffset }) => [glyph, advance, xOffset])).toEqual(expected);
    }
  });

  test('kerns', async () => {
    const { shape } = await loadAddressFont();
    expect(shape('AV').width).toBeLessThan(shape('A').width + shape('V').width);
    expect(shape('AA').width).toBeCloseTo(2 * shape('A').width);
  });
});
