/** Yields the items in order, at most `size` at a time: for commands whose size is bounded. */
export function* piecesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
