import type { Block, LetterContent, LetterheadContent, Span } from './letter-content.ts';
import { readPixels } from './read-logo.ts';

/** The largest logo on paper. Above the window of the envelope there are 24 mm. */
const logoMm = { width: 75, height: 23 } as const;
/** A logo is not enlarged beyond this resolution: below 150 dpi it looks blurred. */
const logoDpi = 200;
const mmPerInch = 25.4;

export type PackedLetter = {
  /** What `letter.typ` reads, as JSON. */
  json: string;
  /** The files that it opens, by path. In base64. */
  files: Record<string, string>;
};

/** Returns a letter as the typesetting reads it. The same letter gives the same text. */
export function packLetter({ language, letterhead, blocks }: LetterContent): PackedLetter {
  const logo = letterhead?.logo ?? null;
  const path = logo && `/logo.${logo.type}`;
  const head = letterhead && {
    logo: logo && { path, ...sizeOnPaper(logo) },
    senderLines: letterhead.senderLines.map(breakLongWords),
    footerLines: letterhead.footerLines.map(breakLongWords),
  };
  return {
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
  if (block.kind === 'list') return { ...block, items: block.items.map(packLine) };
  if (block.kind !== 'table') return { ...block, runs: packLine(block.runs) };
  const rows = block.rows.map((row) => row.map(packLine));
  return { ...block, head: block.head.map(packLine), rows, widths: widthsOf(block) };
}

const packLine = (spans: readonly Span[]): Span[] =>
  spans.map(({ text, isBold }) => ({ text: breakLongWords(text), isBold }));

/** Columns that are as wide as their longest line: short ones, as long as they leave room for the others. */
const narrow = { characters: 16, together: 60 } as const;

/**
 * Returns the width of each column: 0 for as wide as its longest line, else its share of the remaining width, which is
 * the number of characters of its longest line, at most 45.
 */
function widthsOf({ aligns, head, rows }: Extract<Block<Span>, { kind: 'table' }>): number[] {
  const longest = aligns.map((_, column) => {
    const cells = [head, ...rows].map((row) => (row[column] ?? []).map(({ text }) => text).join(''));
    return Math.max(1, ...cells.flatMap((cell) => cell.split('\n')).map(({ length }) => length));
  });
  let together = 0;
  const widths = longest.map((length) => {
    const isNarrow = length <= narrow.characters && together + length <= narrow.together;
    if (isNarrow) together += length;
    return isNarrow ? 0 : Math.min(length, 45);
  });
  // A table is as wide as the text.
  return widths.some((width) => width > 0) ? widths : widths.map((_, i) => (i === 0 ? 1 : 0));
}

/** Words of letters are hyphenated, all others would run over the edge of the paper. */
const longWord = /[^\s]{13,}/gu;
const onlyLetters = /^\p{P}*[\p{L}\p{M}]{1,60}\p{P}*$/u;
const zeroWidthSpace = '\u200b';

/** Lets words that no hyphenation knows, such as account numbers, break anywhere. */
function breakLongWords(text: string): string {
  return text.replaceAll(longWord, (word) => (onlyLetters.test(word) ? word : [...word].join(zeroWidthSpace)));
}
