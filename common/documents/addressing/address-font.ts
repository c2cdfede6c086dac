import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { readTrueType, type TrueType } from './true-type.ts';

/** A glyph of a line: its number in the font, the characters it stands for, and its place in units of the font. */
type ShapedGlyph = { glyph: number; text: string; advance: number; xOffset: number; yOffset: number };

/** A line of text, ready to be shown. Lengths are those at a size of 1 point. */
export type ShapedLine = { glyphs: readonly ShapedGlyph[]; width: number; above: number; below: number };

/** A font of what we add to a letter, or of a paper that goes with letters. */
export type AddressFont = Pick<Font, 'unitsPerEm' | 'ascent' | 'descent' | 'capHeight' | 'bbox'> & {
  /** As PDF readers show it. */
  name: string;
  trueType: TrueType;
  /** Shapes a line, with kerning and without ligatures. */
  shape(text: string): ShapedLine;
  /** Returns each character of the text that cannot be printed, once. */
  findUnprintable(text: string): string[];
};

const require = createRequire(import.meta.url);
/** Arimo has the widths of Arial and Helvetica. It covers Latin (also Vietnamese), Greek and Cyrillic. */
const fonts = {
  regular: { name: 'Arimo-Regular', file: '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf' },
  bold: { name: 'Arimo-Bold', file: '@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf' },
};
export type FontWeight = keyof typeof fonts;

/** Scripts that are written from left to right without joining letters. */
const plainCharacter = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]$/u;
const mark = /\p{M}/u;
/** Accents for Latin, Greek and Cyrillic. */
const knownMark = /^[\u0300-\u036f]$/u;

const loaded = new Map<FontWeight, Promise<AddressFont>>();

/** Loads the font at the first call: 150 ms of CPU for fontkit and its first line. Addresses are in regular. */
export function loadAddressFont(weight: FontWeight = 'regular'): Promise<AddressFont> {
  const font = loaded.get(weight) ?? loadFont(weight);
  loaded.set(weight, font);
  return font;
}

async function loadFont(weight: FontWeight): Promise<AddressFont> {
  const { name, file } = fonts[weight];
  const [fontkit, bytes] = await Promise.all([import('fontkit'), readFile(require.resolve(file))]);
  const font = fontkit.create(bytes);
  const trueType = readTrueType(bytes);
  const { unitsPerEm, ascent, descent, capHeight, bbox } = font;
  const shape = createShaper(font, trueType);
  const findUnprintable = createUnprintableFinder(font, shape);
  shape('First');
  return { name, unitsPerEm, ascent, descent, capHeight, bbox, trueType, shape, findUnprintable };
}

const noLigatures = { liga: false, clig: false, dlig: false };
/**
 * Printable characters that are moved only by kerning with their neighbour, which is the same in all scripts. Accents are
 * not among them: Unicode gives them the script Inherited.
 */
const simple = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u;
const maxPairs = 50_000;

/** Returns the function that shapes a line. It remembers the distances of pairs: layout by fontkit takes ten times as long. */
function createShaper(font: Font, trueType: TrueType): AddressFont['shape'] {
  const pairs = new Map<string, ShapedGlyph>();

  const layOut = (text: string): ShapedGlyph[] => {
    const { glyphs, positions } = font.layout(text, noLigatures);
    return glyphs.map(({ id, codePoints }, i) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[i] ?? {};
      return { glyph: id, text: String.fromCodePoint(...codePoints), advance: xAdvance, xOffset, yOffset };
    });
  };
  const shapeSimple = (text: string): ShapedGlyph[] => {
    const characters = [...text];
    const keys = characters.map((character, i) => character + (characters[i + 1] ?? ''));
    const known = keys.flatMap((pair) => pairs.get(pair) ?? []);
    if (known.length === keys.length) return known;

    // One layout of the whole line gives all of its pairs. Letters of tones can be one glyph together.
    const glyphs = layOut(text);
    if (glyphs.length !== keys.length) return glyphs;
    if (pairs.size + keys.length > maxPairs) pairs.clear();
    for (const [i, glyph] of glyphs.entries()) pairs.set(keys[i] ?? '', glyph);
    return glyphs;
  };

  return (text) => {
    const glyphs = simple.test(text) ? shapeSimple(text) : layOut(text);
    let [width, above, below] = [0, font.ascent, -font.descent];
    for (const { glyph, advance, yOffset } of glyphs) {
      const { yMin, yMax } = trueType.outline(glyph);
      width += advance;
      above = Math.max(above, yMax + yOffset);
      below = Math.max(below, -yMin - yOffset);
    }
    const { unitsPerEm } = font;
    return { glyphs, width: width / unitsPerEm, above: above / unitsPerEm, below: below / unitsPerEm };
  };
}

const maxAccents = 10_000;

/** Returns the function that finds what cannot be printed. It remembers which accents the font attaches. */
function createUnprintableFinder(font: Font, shape: AddressFont['shape']): AddressFont['findUnprintable'] {
  const attached = new LRUCache<string, boolean>({ max: maxAccents });
  const isPrintable = (pair: string): boolean => {
    const known = attached.get(pair) ?? isAttached(shape(pair));
    attached.set(pair, known);
    return known;
  };

  return (text) => {
    const unprintable = new Set<string>();
    for (const character of text) {
      const isPlain = plainCharacter.test(character) && (!mark.test(character) || knownMark.test(character));
      if (!isPlain || !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) unprintable.add(character);
    }
    // An accent that the font cannot attach to its letter stays where it is, beside the letter.
    for (const [pair, letter = '', accent = ''] of text.matchAll(/(\P{M})(\p{M})/gu)) {
      const isKnown = !unprintable.has(letter) && !unprintable.has(accent);
      if (isKnown && !isPrintable(pair)) unprintable.add(pair);
    }
    return [...unprintable];
  };
}

function isAttached({ glyphs: [base, accent] }: ShapedLine): boolean {
  return !accent || (base !== undefined && accent.advance === 0 && (accent.xOffset !== 0 || accent.yOffset !== 0));
}
