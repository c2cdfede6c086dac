/** Finds the rows for all these keys in one read; the result has the key of each row that was found. */
type ReadMany<Key, Row> = (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row>>;

type Asked<Key, Row> = { key: Key; name: string; resolve(row: Row | null): void; reject(error: unknown): void };

/**
 * Look-ups that share their round trips: one read at a time, begun at the end of the turn of the event loop when none is
 * under way (requests that come together are read in one turn); those that are asked for meanwhile make up the next one.
 * Every read begins after it was asked for, so nothing old is ever found.
 * Returns a function that finds the row of one key, or null; when a read fails, all that shared it throw.
 */
export function createGroupRead<Key, Row>(options: {
  read: ReadMany<Key, Row>;
  /** A key as the text by which the read's result names it. */
  nameOf(key: Key): string;
  /** How many look-ups share a read at most. */
  maxKeys: number;
}): (key: Key) => Promise<Row | null> {
  const { read, nameOf, maxKeys } = options;
  let asked: Asked<Key, Row>[] = [];
  let isReading = false;

  async function readAll(): Promise<void> {
    while (asked.length > 0) {
      const group = asked.slice(0, maxKeys);
      asked = asked.slice(maxKeys);
      const keys = [...new Map(group.map(({ name, key }) => [name, key])).values()];
      try {
        const rows = await read(keys);
        for (const { name, resolve } of group) resolve(rows.get(name) ?? null);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isReading = false;
  }

  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Row | null>();
    asked.push({ key, name: nameOf(key), resolve, reject });
    if (!isReading) setImmediate(readAll);
    isReading = true;
    return promise;
  };
}
