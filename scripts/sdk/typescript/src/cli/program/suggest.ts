/** More edits than this are another word. */
const maxEdits = 2;

/** Returns `Did you mean …?` for the nearest word, or null when none is near. */
export function suggest(typed: string, words: readonly string[]): string | null {
  const [nearest] = words
    .map((word) => ({ word, edits: editsBetween(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= maxEdits || (typed.length >= 3 && word.startsWith(typed)))
    .sort((a, b) => a.edits - b.edits);
  return nearest ? `Did you mean ${nearest.word}?` : null;
}

/** Returns the Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
