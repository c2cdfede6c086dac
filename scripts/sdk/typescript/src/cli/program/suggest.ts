/** Returns `Did you mean …?` for the nearest word, or null when none is near. */
export function suggest(typed: string, words: readonly string[]): string | null {
  // More edits make another word of a short one.
  const maxEdits = typed.replace(/^-+/, '').length <= 4 ? 1 : 2;
  const [nearest] = words
    .map((word) => ({ word, edits: editsBetween(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= maxEdits || (typed.length >= 3 && word.startsWith(typed)))
    .sort((a, b) => a.edits - b.edits);
  return nearest ? `Did you mean ${nearest.word}?` : null;
}

/** Returns the optimal string alignment distance: exchanged neighbours are one edit, as typing errors go. */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) row[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.length, b.length);
}
