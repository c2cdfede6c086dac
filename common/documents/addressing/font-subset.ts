import { createHash } from 'node:crypto';
import type { PrintFileUpdate } from '../sheet/append-stamps.ts';
import type { AddressFont, ShapedLine } from './address-font.ts';

/** The glyphs of a font that one document shows. */
export type FontSubset = {
  /** Returns operators that show a line with its baseline at (x, y), in points. */
  show(line: ShapedLine, sizePoints: number, x: number, y: number): string;
  /** Embeds the glyphs shown so far and returns a reference to the font. Their text can be extracted. */
  embed(update: ObjectWriter): string;
};

/** A glyph of the subset. The same outline is there twice when it stands for different characters. */
type Member = { glyph: number; text: string };

/** Where the objects of a font are added. */
export type ObjectWriter = Pick<PrintFileUpdate, 'addObject' | 'addStream'>;

const loca32 = 1;

/** `resourceName` names the font in the resources of what shows the lines. */
export function createFontSubset(font: AddressFont, resourceName = 'F'): FontSubset {
  const members: Member[] = [{ glyph: 0, text: '' }];
  const numbers = new Map<string, number>();
  const { unitsPerEm, trueType } = font;
  const thousandths = (units: number) => Math.round((units * 1000 * 10) / unitsPerEm) / 10;

  const numberOf = (glyph: number, text: string): number => {
    const key = `${glyph} ${text}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, members.length);
    return members.push({ glyph, text }) - 1;
  };

  return {
    show(line, sizePoints, x, y) {
      let words = '';
      let isHex = false;
      const shift = (units: number) => {
        if (units === 0) return;
        // The blank keeps two numbers apart: kerning, and then the offset of an accent.
        words += `${isHex ? '>' : ' '}${-thousandths(units)}`;
        isHex = false;
      };
      for (const { glyph, text, advance, xOffset, yOffset } of line.glyphs) {
        shift(xOffset);
        const hex = numberOf(glyph, text).toString(16).padStart(4, '0');
        if (yOffset === 0) {
          words += isHex ? hex : `<${hex}`;
          isHex = true;
        } else {
          const rise = Math.round((yOffset * sizePoints * 1000) / unitsPerEm) / 1000;
          words += `${isHex ? '>' : ''}] TJ ${rise} Ts [<${hex}>] TJ 0 Ts [`;
          isHex = false;
        }
        shift(advance - xOffset - trueType.metrics(glyph).advance);
      }
      return `BT /${resourceName} ${sizePoints} Tf ${round(x)} ${round(y)} Td [${words}${isHex ? '>' : ''}] TJ ET\n`;
    },
    embed: (update) => embed(font, members, update, thousandths),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** As a composite font whose codes are the numbers of the glyphs (ISO 32000-1, 9.7). */
function embed(
  font: AddressFont,
  members: readonly Member[],
  update: ObjectWriter,
  thousandths: (units: number) => number,
): string {
  const { name: fontName, bbox, ascent, descent, capHeight, trueType } = font;
  const file = writeTrueType(font, members);
  const name = `${tagOf(file)}+${fontName}`;
  const fileRef = update.addStream(`/Length1 ${file.length}`, file);
  const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map(thousandths).join(' ');
  const descriptor = update.addObject(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${box}] /ItalicAngle 0` +
      ` /Ascent ${thousandths(ascent)} /Descent ${thousandths(descent)} /CapHeight ${thousandths(capHeight)}` +
      ` /StemV 80 /FontFile2 ${fileRef} >>`,
  );
  const widths = members.map(({ glyph }) => thousandths(trueType.metrics(glyph).advance));
  const descendant = update.addObject(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity)` +
      ` /Supplement 0 >> /FontDescriptor ${descriptor} /CIDToGIDMap /Identity /DW 0 /W [0 [${widths.join(' ')}]] >>`,
  );
  const toUnicode = update.addStream('', writeToUnicode(members));
  return update.addObject(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant}]` +
      ` /ToUnicode ${toUnicode} >>`,
  );
}

/** Six letters by the content: readers take fonts with the same tag for the same subset (ISO 32000-1, 9.6.4). */
function tagOf(file: Buffer): string {
  const digest = createHash('sha256').update(file).digest();
  return String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
}

/** The most lines that a block of a character map may have. */
const maxMapLines = 100;

function writeToUnicode(members: readonly Member[]): string {
  const lines = members.flatMap(({ text }, number) =>
    text === ''
      ? []
      : [`<${number.toString(16).padStart(4, '0')}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`],
  );
  let blocks = '';
  for (let from = 0; from < lines.length; from += maxMapLines) {
    const block = lines.slice(from, from + maxMapLines);
    blocks += `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`;
  }
  return (
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n' +
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n' +
    `1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${blocks}endcmap\n` +
    'CMapName currentdict /CMap defineresource pop\nend\nend'
  );
}

/** Writes a TrueType file with the tables that PDF readers need (ISO 32000-1, 9.9). */
function writeTrueType({ trueType }: AddressFont, members: readonly Member[]): Buffer {
  const glyphs = members.map(({ glyph }) => glyph);
  const outlines: Buffer[] = [];
  const loca: number[] = [0];
  let end = 0;
  // Components of a glyph are added behind all others.
  for (let i = 0; i < glyphs.length; i += 1) {
    const { bytes, components } = trueType.outline(glyphs[i] ?? 0);
    const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
    bytes.copy(padded);
    for (const { at, glyph } of components) {
      const known = glyphs.indexOf(glyph);
      padded.writeUInt16BE(known === -1 ? glyphs.push(glyph) - 1 : known, at);
    }
    outlines.push(padded);
    end += padded.length;
    loca.push(end);
  }

  const metrics = Buffer.alloc(glyphs.length * 4);
  for (const [i, glyph] of glyphs.entries()) {
    const { advance, bearing } = trueType.metrics(glyph);
    metrics.writeUInt16BE(advance, i * 4);
    metrics.writeInt16BE(bearing, i * 4 + 2);
  }
  const positions = Buffer.alloc(loca.length * 4);
  for (const [i, position] of loca.entries()) positions.writeUInt32BE(position, i * 4);
  const [head, hhea, maxp] = [Buffer.from(trueType.head), Buffer.from(trueType.hhea), Buffer.from(trueType.maxp)];
  head.writeUInt32BE(0, 8);
  head.writeInt16BE(loca32, 50);
  hhea.writeUInt16BE(glyphs.length, 34);
  maxp.writeUInt16BE(glyphs.length, 4);
  return joinTables([
    ['glyf', Buffer.concat(outlines)],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', metrics],
    ['loca', positions],
    ['maxp', maxp],
  ]);
}

function joinTables(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const directory = Buffer.alloc(12 + tables.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  // Fields for binary search, of no use for six tables: 16 times the largest power of two, its exponent, the rest.
  directory.writeUInt16BE(64, 6);
  directory.writeUInt16BE(2, 8);
  directory.writeUInt16BE(tables.length * 16 - 64, 10);

  const parts = [directory];
  let position = directory.length;
  for (const [i, [tag, table]] of tables.entries()) {
    const entry = 12 + i * 16;
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4);
    table.copy(padded);
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(checksum(padded), entry + 4);
    directory.writeUInt32BE(position, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    parts.push(padded);
    position += padded.length;
  }
  const file = Buffer.concat(parts);
  const headAt = tables.findIndex(([tag]) => tag === 'head');
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, file.readUInt32BE(12 + headAt * 16 + 8) + 8);
  return file;
}

function checksum(words: Buffer): number {
  let sum = 0;
  for (let at = 0; at < words.length; at += 4) sum = (sum + words.readUInt32BE(at)) | 0;
  return sum >>> 0;
}
