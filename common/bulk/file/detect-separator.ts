export const tableSeparators = [';', ',', '\t'] as const;
export type TableSeparator = (typeof tableSeparators)[number];

/** The header, and the rows below it that are looked at. */
const maxRows = 21;

/**
 * Returns the separator of a CSV text: the one that stands outside of quotes in the header, and equally often in most of
 * the next 20 rows. A comma for a text with one column.
 */
export function detectSeparator(text: string): TableSeparator {
  const rows = countPerRow(text);
  const scores = tableSeparators.map((separator, index) => {
    const inHeader = rows[0]?.[index] ?? 0;
    const alike = rows.filter((counts) => counts[index] === inHeader).length;
    return { separator, inHeader, score: inHeader === 0 ? 0 : alike / rows.length };
  });
  const best = scores.toSorted((a, b) => b.score - a.score || b.inHeader - a.inHeader)[0];
  return best !== undefined && best.score > 0 ? best.separator : ',';
}

/** Counts each separator outside of quotes, row by row. Blank rows do not count. */
function countPerRow(text: string): number[][] {
  const rows: number[][] = [];
  let counts = tableSeparators.map(() => 0);
  let [isQuoted, isBlank] = [false, true];
  const end = () => {
    if (!isBlank) rows.push(counts);
    counts = tableSeparators.map(() => 0);
    isBlank = true;
  };
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if ((character === '\n' || character === '\r') && !isQuoted) {
      end();
      if (rows.length === maxRows) return rows;
      continue;
    }
    isBlank = false;
    const index = isQuoted ? -1 : tableSeparators.indexOf(character as TableSeparator);
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
  }
  // The last row of a sample may be cut off.
  if (rows.length === 0) end();
  return rows;
}
