/** After this many consecutive failures the store counts as unavailable. */
const maxFailuresInARow = 10;

/**
 * Removes objects one after the other. One that cannot be removed is postponed, and the others continue. Throws the
 * store's error after ten failures in a row, because the store is then unavailable and the next run tries again.
 */
export async function removeEach<Row>(
  rows: readonly Row[],
  { remove, postpone }: { remove(row: Row): Promise<void>; postpone(row: Row, error: unknown): Promise<void> },
): Promise<void> {
  let failuresInARow = 0;
  for (const row of rows) {
    try {
      await remove(row);
      failuresInARow = 0;
    } catch (error) {
      await postpone(row, error);
      failuresInARow += 1;
      if (failuresInARow === maxFailuresInARow) throw error;
    }
  }
}
