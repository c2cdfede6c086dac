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

/**
 * Maps a stream with at most `lanes` concurrent calls, and yields the results other than null in the order in which they
 * are ready. Reads no further than `lanes` items ahead. Throws the first error, after the calls in flight have ended.
 */
export async function* drainInParallel<T, U>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<U | null>,
  lanes: number,
): AsyncGenerator<U> {
  const running = new Set<Promise<void>>();
  const ready: U[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for await (const item of items) {
      const call: Promise<void> = work(item)
        .then(
          (result) => {
            if (result !== null) ready.push(result);
          },
          (error: unknown) => {
            failure ??= { error };
          },
        )
        .finally(() => running.delete(call));
      running.add(call);
      if (running.size >= lanes) await Promise.race(running);
      if (failure) break;
      yield* ready.splice(0);
    }
  } finally {
    await Promise.all(running);
  }
  if (failure) throw failure.error;
  yield* ready;
}
