import type { Language } from '#common/languages.ts';

/** A piece of text in one weight. A line feed is a line break. Nothing in it is markup. */
export type Span = { text: string; isBold: boolean };

export const columnAligns = ['left', 'center', 'right'] as const;
export type ColumnAlign = (typeof columnAligns)[number];

/**
 * A block of a letter. `Run` is what its lines consist of: spans, or in a template also variables. All rows of a table have as many cells as it has columns.
 */
export type Block<Run> =
  | { kind: 'heading'; level: 1 | 2; runs: Run[] }
  | { kind: 'paragraph'; runs: Run[] }
  | { kind: 'list'; isNumbered: boolean; items: Run[][] }
  | { kind: 'table'; aligns: ColumnAlign[]; head: Run[][]; rows: Run[][][] }
  | { kind: 'pageBreak' };

/** The letterhead of an organization, as it is printed. */
export type LetterheadContent = {
  /** Printed at the top left of page 1. */
  logo: { type: 'png' | 'jpeg'; bytes: Buffer } | null;
  /** Lines at the top right of page 1. The first one is bold. */
  senderLines: readonly string[];
  /** Lines at the bottom of every page. */
  footerLines: readonly string[];
};

/** All that is typeset as one letter. The recipient's address is not part of it: each copy gets its own later. */
export type LetterContent = {
  /** Decides the hyphenation. */
  language: Language;
  letterhead: LetterheadContent | null;
  blocks: Block<Span>[];
};

/** Limits of one letter. They bound the typesetting before it starts, but for the number of pages. */
export const letterLimits = { characters: 200_000, blocks: 1_000, columns: 10, rows: 500, pages: 50 } as const;

/** Increment it when `letter.typ` or `pack-letter.ts` changes what a letter looks like: a letter is typeset again then. */
export const layoutVersion = 3;
