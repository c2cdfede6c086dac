import type { AddressFont, ShapedLine } from './address-font.ts';
import { maxAddressLines } from './address-lines.ts';

/**
 * Breaks its line at spaces into as few parts as possible, the longest as short as possible, so that no word is left alone
 * needlessly. Returns null when a word is wider than `maxWidth` or more than six parts are needed. Widths are at a size of
 * 1 point. A part with combining accents can be a little wider than `maxWidth`.
 */
export type LineWrapper = (maxWidth: number) => readonly ShapedLine[] | null;

/** A word by its place in the text of the line, and from left to right in units of the font. */
type Word = { from: number; to: number; left: number; right: number };

/**
 * Returns the function that wraps a line. It measures the words once, in the line as a whole, because shaping each
 * possible part takes seconds for an address with words of one letter.
 */
export function createLineWrapper(line: string, font: AddressFont): LineWrapper {
  const whole = font.shape(line);
  const known = new Map<number, readonly ShapedLine[]>();
  let measured: { words: readonly Word[]; widths: readonly number[] } | null = null;

  return (maxWidth) => {
    if (whole.width <= maxWidth) return [whole];
    if (!measured) {
      const words = measureWords(line, whole, font);
      measured = { words, widths: findWidths(words) };
    }
    const units = measured.widths.find((width) => width / font.unitsPerEm <= maxWidth);
    if (units === undefined) return null;
    const parts =
      known.get(units) ?? fillParts(measured.words, units).map(([from, to]) => font.shape(line.slice(from, to)));
    known.set(units, parts);
    return parts;
  };
}

function measureWords(line: string, { glyphs }: ShapedLine, { trueType }: AddressFont): Word[] {
  const sides: { left: number; right: number }[] = [];
  let x = 0;
  let left: number | null = null;
  let right = 0;
  for (const { glyph, text, advance } of glyphs) {
    if (text === ' ') {
      if (left !== null) sides.push({ left, right });
      left = null;
    } else {
      left ??= x;
      // Without the kerning with a space behind the word. An accent has no width of its own.
      right = advance === 0 ? x : x + trueType.metrics(glyph).advance;
    }
    x += advance;
  }
  if (left !== null) sides.push({ left, right });

  return Array.from(line.matchAll(/[^ ]+/g), ({ 0: word, index: from }, i) => {
    const { left, right } = sides[i] ?? { left: x, right: x };
    return { from, to: from + word.length, left, right };
  });
}

/** Returns the least width that the longest of one, two, … six parts can have. */
function findWidths(words: readonly Word[]): number[] {
  const widths: number[] = [];
  /** By the number of words, from the first. */
  let least = [0, ...words.map(() => Number.POSITIVE_INFINITY)];
  for (let parts = 1; parts <= maxAddressLines; parts += 1) {
    const before = least;
    least = [0];
    for (const [last, { right }] of words.entries()) {
      let best = Number.POSITIVE_INFINITY;
      for (let first = last; first >= 0; first -= 1) {
        const width = right - (words[first]?.left ?? 0);
        if (width >= best) break;
        best = Math.min(best, Math.max(width, before[first] ?? 0));
      }
      least.push(best);
    }
    widths.push(least.at(-1) ?? 0);
  }
  return widths;
}

/** Puts as many words as possible into each part. Returns where each part begins and ends in the text. */
function fillParts(words: readonly Word[], maxWidth: number): [number, number][] {
  const parts: [number, number][] = [];
  let start = Number.NEGATIVE_INFINITY;
  for (const { from, to, left, right } of words) {
    const part = parts.at(-1);
    if (part && right - start <= maxWidth) part[1] = to;
    else {
      parts.push([from, to]);
      start = left;
    }
  }
  return parts;
}
