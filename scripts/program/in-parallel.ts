/** Maps with at most `lanes` concurrent calls. Results keep the order of the items. */
export async function inParallel<T, U>(items: readonly T[], work: (item: T) => Promise<U>, lanes = 16): Promise<U[]> {
  const results: U[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
