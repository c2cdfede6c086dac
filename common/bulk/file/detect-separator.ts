export const tableSeparators = [';', ',', '\t', '|', '^'] as const;
export type TableSeparator = (typeof tableSeparators)[number];

/** Rows that are looked at, titles and heading included. */
const maxRows = 21;
/** The first line of some exports, for Excel. It is no row of the list. */
const declaration = /^"?sep=([;,\t|^])"?(\r\n|\r|\n)/i;

/** Returns the separator that the first line of a CSV text declares, and the length of that line. */
export function readDeclaration(text: string): { separator: TableSeparator; length: number } | null {
  const [line, separator] = declaration.exec(text) ?? [];
  return line === undefined ? null : { separator: separator as TableSeparator, length: line.length };
}

/**
 * Returns the separator of a CSV text: the one that stands outside of quotes equally often in most of the first rows. A
 * comma for a text with one column.
 */
export function detectSeparator(text: string): TableSeparator {
  const rows = countPerRow(text);
  const scores = tableSeparators.map((separator, index) => {
    const counts = rows.map((row) => row[index] ?? 0).filter((count) => count > 0);
    const alike = (count: number) => counts.filter((each) => each === count).length;
    const usual = counts.toSorted((a, b) => alike(b) - alike(a) || b - a)[0] ?? 0;
    return { separator, usual, score: alike(usual) / rows.length };
  });
  const best = scores.toSorted((a, b) => b.score - a.score || b.usual - a.usual)[0];
  return best !== undefined && best.score > 0 ? best.separator : ',';
}

/** Counts each separator outside of quotes, row by row. Blank rows do not count. */
function countPerRow(text: string): number[][] {
  const rows: number[][] = [];
  let counts = tableSeparators.map(() => 0);
  let [isQuoted, isBlank, isCellStart] = [false, true, true];
  const end = () => {
    if (!isBlank) rows.push(counts);
    counts = tableSeparators.map(() => 0);
    [isBlank, isCellStart] = [true, true];
  };
  for (const character of text) {
    // A quote inside of a cell is a part of its text.
    if (character === '"' && (isQuoted || isCellStart)) isQuoted = !isQuoted;
    if ((character === '\n' || character === '\r') && !isQuoted) {
      end();
      if (rows.length === maxRows) return rows;
      continue;
    }
    isBlank = false;
    const index = isQuoted ? -1 : tableSeparators.indexOf(character as TableSeparator);
    isCellStart = index >= 0;
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
  }
  // The last row of a sample may be cut off.
  if (rows.length === 0) end();
  return rows;
}
