export type CachedReadsOptions<Value> = {
  /** How long a value is used again, from the start of its read. */
  maxAgeMs: number;
  /** Returns how long to use this value again instead, for less time. 0: it is not kept. */
  keepMs?(value: Value): number;
  /** Beyond this many keys, the oldest read is dropped. Default: 10,000. */
  maxKeys?: number;
};

/** Values that were read for a while, by key. */
export type CachedReads<Value> = {
  /**
   * Returns the value of a key, read at most `maxAgeMs` ago; 0 always reads. Concurrent callers share one read. An error is
   * not kept. `nowMs`: the time by another clock than `performance.now`, which may be set back.
   */
  get(key: string, read: () => Promise<Value>, by?: { maxAgeMs?: number | undefined; nowMs?: number }): Promise<Value>;
  /** Returns whether `get` would share a read or its value. */
  has(key: string): boolean;
  /** Drops a value. A read in progress is then shared no longer, and its result is not kept. */
  delete(key: string): void;
  /** Drops all values, as `delete` does. */
  clear(): void;
};

type Entry<Value> = { value: Promise<Value>; readAtMs: number; keepMs: number };

/** Creates a cache of reads: concurrent callers share one read, whose value is used again for `maxAgeMs`. */
export function createCachedReads<Value>(options: CachedReadsOptions<Value>): CachedReads<Value> {
  const { maxAgeMs: keptMs, keepMs = () => keptMs, maxKeys = 10_000 } = options;
  /** The oldest read first. */
  const entries = new Map<string, Entry<Value>>();

  function find(key: string, maxAgeMs: number, nowMs: number): Entry<Value> | undefined {
    const entry = entries.get(key);
    return entry && Math.abs(nowMs - entry.readAtMs) < Math.min(maxAgeMs, entry.keepMs) ? entry : undefined;
  }

  function startRead(key: string, read: () => Promise<Value>, readAtMs: number): Promise<Value> {
    const entry = { readAtMs, keepMs: keptMs, value: read() };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size > maxKeys) entries.delete(oldest);
    const keepFor = (ms: number) => {
      entry.keepMs = ms;
      if (ms === 0 && entries.get(key) === entry) entries.delete(key);
    };
    entry.value.then(
      (value) => keepFor(keepMs(value)),
      () => keepFor(0),
    );
    // All callers await this promise, so they continue in the order in which they came.
    return entry.value;
  }

  return {
    async get(key, read, { maxAgeMs = keptMs, nowMs = performance.now() } = {}) {
      return await (find(key, maxAgeMs, nowMs)?.value ?? startRead(key, read, nowMs));
    },
    has: (key) => find(key, keptMs, performance.now()) !== undefined,
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
  };
}
