// Level: unit
import { loadAddressFont, type ShapedLine } from '#common/documents/addressing/address-font.ts';
import { createLineWrapper } from '#common/documents/addressing/wrap-line.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { createRandom } from '#test/support/random.ts';

/** Much kerning with spaces and with each other, short and long words. */
const words = [
  'A',
  'T',
  'V.',
  'Yo',
  'AVA',
  'W',
  'Wotton',
  '„Țiț”',
  '–',
  'Жук',
  'Straße',
  'i',
  'Nguyễn',
  'Weston-super-Mare',
];

function textOf({ glyphs }: ShapedLine): string {
  return glyphs.map(({ text }) => text).join('');
}

/** Returns all ways to break a line at its spaces. */
function breakAnywhere([word = '', ...rest]: readonly string[]): string[][] {
  if (rest.length === 0) return [[word]];
  return breakAnywhere(rest).flatMap(([next = '', ...more]) => [
    [word, next, ...more],
    [`${word} ${next}`, ...more],
  ]);
}

describe('a line that is too long', () => {
  test('has as few parts as possible, the longest as short as possible', async () => {
    const font = await loadAddressFont();
    const { random } = createRandom(1);
    const longest = (parts: readonly string[]) => Math.max(...parts.map((part) => font.shape(part).width));
    for (let i = 0; i < 60; i += 1) {
      const line = Array.from({ length: 8 }, () => words[Math.floor(random() * words.length)] ?? '');
      const maxWidth = font.shape(line.join(' ')).width * (0.2 + 0.7 * random());
      const ways = breakAnywhere(line).filter((parts) => parts.length <= 6 && longest(parts) <= maxWidth);
      const parts = createLineWrapper(line.join(' '), font)(maxWidth);
      if (ways.length === 0) {
        expect(parts).toBeNull();
        continue;
      }
      const fewest = Math.min(...ways.map(({ length }) => length));
      const shortest = Math.min(...ways.filter(({ length }) => length === fewest).map(longest));
      expect(parts?.map(textOf).join(' ')).toBe(line.join(' '));
      expect(parts).toHaveLength(fewest);
      expect(Math.max(...parts!.map(({ width }) => width))).toBe(shortest);
    }
  });

  test('loses the spaces where it is broken and keeps all others', async () => {
    const font = await loadAddressFont();
    const wrap = createLineWrapper('1016 GV  AMSTERDAM', font);
    const width = font.shape('AMSTERDAM').width;
    expect(wrap(width * 10)?.map(textOf)).toEqual(['1016 GV  AMSTERDAM']);
    expect(wrap(width)?.map(textOf)).toEqual(['1016 GV', 'AMSTERDAM']);
    expect(wrap(width - 0.01)).toBeNull();
  });
});
