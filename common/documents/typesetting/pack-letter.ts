import type { Block, LetterContent, LetterheadContent, Span } from './letter-content.ts';
import { readPixels } from './read-logo.ts';

/** The largest logo on paper. Above the window of the envelope there are 24 mm. */
const logoMm = { width: 75, height: 23 } as const;
/** A logo is not enlarged beyond this resolution: below 150 dpi it looks blurred. */
const logoDpi = 200;
const mmPerInch = 25.4;

/** The layouts of letters and of the papers of a batch, by their `.typ` files. */
export type Layout = 'letter' | 'job-ticket' | 'deposit-slip';

/** A document as the typesetting reads it. */
export type PackedDocument = {
  layout: Layout;
  /** What the layout reads, as JSON. */
  json: string;
  /** The files that it opens, by path. In base64. */
  files: Record<string, string>;
};

/** Returns a letter as the typesetting reads it. The same letter gives the same text. */
export function packLetter({ language, letterhead, blocks }: LetterContent): PackedDocument {
  const logo = letterhead?.logo ?? null;
  const path = logo && `/logo.${logo.type}`;
  const head = letterhead && {
    logo: logo && { path, ...sizeOnPaper(logo) },
    senderLines: letterhead.senderLines.map((line) => breakLongWords(line)),
    footerLines: letterhead.footerLines.map((line) => breakLongWords(line)),
  };
  return {
    layout: 'letter',
    json: JSON.stringify({ language, letterhead: head, blocks: blocks.map(packBlock) }),
    files: logo && path !== null ? { [path]: logo.bytes.toString('base64') } : {},
  };
}

function sizeOnPaper(logo: NonNullable<LetterheadContent['logo']>) {
  const pixels = readPixels(logo.type, logo.bytes) ?? { width: 1, height: 1 };
  const mmPerPixel = Math.min(logoMm.width / pixels.width, logoMm.height / pixels.height, mmPerInch / logoDpi);
  return { widthMm: pixels.width * mmPerPixel, heightMm: pixels.height * mmPerPixel };
}

function packBlock(block: Block<Span>): object {
  if (block.kind === 'pageBreak') return block;
  if (block.kind === 'list') return { ...block, items: block.items.map((item) => packLine(item)) };
  if (block.kind !== 'table') return { ...block, runs: packLine(block.runs) };
  const { widths, longestWord } = measureTable(block);
  const packRow = (row: readonly Span[][]) => row.map((cell) => packLine(cell, longestWord));
  return { ...block, head: packRow(block.head), rows: block.rows.map(packRow), widths };
}

const packLine = (spans: readonly Span[], longestWord?: number): Span[] =>
  spans.map(({ text, isBold }) => ({ text: breakLongWords(text, longestWord), isBold }));

/** Columns that are as wide as their longest line: short ones, as long as they leave room for the others. */
const narrow = { characters: 16, together: 60 } as const;
/** The same in a table with too many columns for that. */
const narrowOfMany = { characters: 4, together: 60 } as const;
/** Points of a line, of the space between columns, and of a digit and the widest letter in a table. */
const pt = { line: 467, gap: 8.5, digit: 5.5, widest: 9 } as const;

type Table = Extract<Block<Span>, { kind: 'table' }>;

/**
 * Returns the width of each column: 0 for as wide as its longest line, else its share of the remaining width, which is
 * the number of characters of its longest line, at most 45. When a share has no room for a number of 12 digits, the
 * shares are equal, and words of more than `longestWord` characters may break anywhere: otherwise they would be printed
 * over the next column.
 */
function measureTable({ aligns, head, rows }: Table): { widths: number[]; longestWord?: number } {
  const longest = aligns.map((_, column) => {
    const cells = [head, ...rows].map((row) => (row[column] ?? []).map(({ text }) => text).join(''));
    return Math.max(1, ...cells.flatMap((cell) => cell.split('\n')).map(({ length }) => length));
  });
  const widths = widthsOf(longest, narrow);
  const share = shareOf(longest, widths);
  const hasRoom = widths.every((width, column) => {
    const digits = Math.min(longest[column] ?? 0, 12);
    return width === 0 || width * share >= digits * pt.digit + pt.gap;
  });
  // A table is as wide as the text.
  if (widths.every((width) => width === 0)) return { widths: widths.map((_, i) => (i === 0 ? 1 : 0)) };
  if (hasRoom) return { widths };
  const equal = widthsOf(longest, narrowOfMany).map((width) => Math.min(width, 1));
  return { widths: equal, longestWord: Math.floor((shareOf(longest, equal) - pt.gap) / pt.widest) };
}

function widthsOf(longest: readonly number[], limits: { characters: number; together: number }): number[] {
  let together = 0;
  return longest.map((length) => {
    const isNarrow = length <= limits.characters && together + length <= limits.together;
    if (isNarrow) together += length;
    return isNarrow ? 0 : Math.min(length, 45);
  });
}

/** Returns the points of one share of the width that narrow columns leave. */
function shareOf(longest: readonly number[], widths: readonly number[]): number {
  const taken = longest.filter((_, column) => widths[column] === 0).map((length) => length * pt.digit + pt.gap);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return (pt.line - sum(taken)) / sum(widths);
}

/** Words of letters are hyphenated, all others would run over the edge of the paper. */
const longWord = /[^\s]{13,}/gu;
const onlyLetters = /^\p{P}*[\p{L}\p{M}]{1,60}\p{P}*$/u;
const zeroWidthSpace = '\u200b';

/**
 * Lets words that no hyphenation knows, such as account numbers, break anywhere. With `longestWord`, also all words of
 * more characters.
 */
function breakLongWords(text: string, longestWord?: number): string {
  const breakWord = (word: string) => [...word].join(zeroWidthSpace);
  if (longestWord !== undefined) {
    return text.replaceAll(/[^\s]+/gu, (word) => (word.length > longestWord ? breakWord(word) : word));
  }
  return text.replaceAll(longWord, (word) => (onlyLetters.test(word) ? word : breakWord(word)));
}
