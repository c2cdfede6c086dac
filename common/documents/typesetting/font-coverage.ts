import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Arimo has the widths of Arial and Helvetica. It covers Latin (also Vietnamese), Greek and Cyrillic. */
export const letterFontPaths = [
  '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf',
  '@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf',
].map((path) => require.resolve(path));

/** Scripts that are written from left to right without joining letters. */
const plainCharacter = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]$/u;
/** Control and format characters, private and unassigned ones, and lone surrogates. Some reverse or hide text. */
const invisible = /^\p{C}$/u;
/** The font has them, but they are separators of lines, or stand for what was lost before: an object, an undecodable byte. */
const placeholders = ['\u2028', '\u2029', '\ufffc', '\ufffd'];
/** Has no shape in a line, or tells where a word may break. */
const allowedInvisible = ['\n', '\u00ad'];

let covered: ReadonlySet<number> | undefined;

/**
 * Returns each character of the text that a letter cannot show, once, in order. Text must be in Unicode normal form C:
 * an accent that is still a character of its own counts as one that cannot be shown.
 */
export function findUnprintable(text: string): string[] {
  covered ??= readCoverage();
  const found = new Set<string>();
  for (const character of text) if (!isPrintable(character, covered)) found.add(character);
  return [...found];
}

function isPrintable(character: string, glyphs: ReadonlySet<number>): boolean {
  if (allowedInvisible.includes(character)) return true;
  if (placeholders.includes(character)) return false;
  return plainCharacter.test(character) && !invisible.test(character) && glyphs.has(character.codePointAt(0) ?? 0);
}

/** Returns the characters that both weights have. */
function readCoverage(): ReadonlySet<number> {
  const [regular = new Set<number>(), bold = new Set<number>()] = letterFontPaths.map((path) =>
    readCharacters(readFileSync(path)),
  );
  return regular.intersection(bold);
}

const unicodePlatforms = [0, 3];

/** Returns the characters of a font of ours: its table `cmap` in the formats 4 and 12 (ISO/IEC 14496-22). */
function readCharacters(font: Buffer): Set<number> {
  const cmap = findTable(font, 'cmap');
  const characters = new Set<number>();
  const count = cmap.readUInt16BE(2);
  for (let i = 0; i < count; i += 1) {
    const platform = cmap.readUInt16BE(4 + i * 8);
    const table = cmap.subarray(cmap.readUInt32BE(8 + i * 8));
    const format = table.readUInt16BE(0);
    if (!unicodePlatforms.includes(platform)) continue;
    const found = format === 4 ? segmentsOf(table) : format === 12 ? groupsOf(table) : [];
    for (const character of found) characters.add(character);
  }
  return characters;
}

function findTable(font: Buffer, name: string): Buffer {
  const count = font.readUInt16BE(4);
  for (let i = 0; i < count; i += 1) {
    const at = 12 + i * 16;
    if (font.toString('latin1', at, at + 4) === name) return font.subarray(font.readUInt32BE(at + 8));
  }
  throw new Error(`The font has no table ${name}.`);
}

function* segmentsOf(table: Buffer): Generator<number> {
  const bytes = table.readUInt16BE(6);
  for (let at = 0; at < bytes; at += 2) {
    const end = table.readUInt16BE(14 + at);
    const start = table.readUInt16BE(16 + bytes + at);
    const delta = table.readUInt16BE(16 + 2 * bytes + at);
    const offsetAt = 16 + 3 * bytes + at;
    const offset = table.readUInt16BE(offsetAt);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const glyph = offset === 0 ? (code + delta) & 0xffff : table.readUInt16BE(offsetAt + offset + 2 * (code - start));
      if (glyph !== 0) yield code;
    }
  }
}

function* groupsOf(table: Buffer): Generator<number> {
  const count = table.readUInt32BE(12);
  for (let i = 0; i < count; i += 1) {
    const at = 16 + i * 12;
    const end = table.readUInt32BE(at + 4);
    for (let code = table.readUInt32BE(at); code <= end; code += 1) yield code;
  }
}
