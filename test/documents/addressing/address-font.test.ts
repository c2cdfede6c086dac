import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import { loadAddressFont } from '#common/documents/addressing/address-font.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { createRandom } from '#test/support/random.ts';

const require = createRequire(import.meta.url);
const path = require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf');
const noLigatures = { liga: false, clig: false, dlig: false };

/** Letters with much kerning, of each script. */
const letters = [...'AVTWYLPFaeowvyrtfij.,-"\' 0123ÀÉŁÖÜßŤďŻžİıΑΓΛΥαγλυΆάώАГТУЬЪДЧаугтйіїєẤệỹ'];

describe('the font of addresses', () => {
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

  test('kerns', async () => {
    const { shape } = await loadAddressFont();
    expect(shape('AV').width).toBeLessThan(shape('A').width + shape('V').width);
    expect(shape('AA').width).toBeCloseTo(2 * shape('A').width);
  });
});
