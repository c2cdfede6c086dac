/** Lines of one kind as text. `--json` has all. */
const maxShown = 100;

/** Returns a heading and a line for each row; nothing without rows. */
export function describeList<Row>(heading: string, rows: readonly Row[], toLine: (row: Row) => string): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > maxShown ? [`  … and ${rows.length - maxShown} more, see --json`] : [];
  return [`${heading} (${rows.length}):`, ...rows.slice(0, maxShown).map((row) => `  ${toLine(row)}`), ...more];
}
