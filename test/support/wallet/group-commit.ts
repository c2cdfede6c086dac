import { createGroupCommit, type GroupCommitOptions } from '#common/platform/concurrency/group-commit.ts';

type Options = Partial<GroupCommitOptions<string, string>>;

/** Creates a group commit whose commits wait after `hold()` until its result is called. */
export function aGroupCommit(options: Options = {}) {
  const batches: string[][] = [];
  let gate = Promise.resolve();
  const group = createGroupCommit<string, string>({
    commit: async (items) => {
      batches.push([...items]);
      await gate;
      return items.map((item) => `${item}!`);
    },
    bytesOf: (item) => item.length,
    keyOf: (item) => item[0] ?? '',
    concernsAll: () => false,
    ...{ maxItems: () => 256, maxBytes: 1_000, maxWaiting: 2_000, maxWaitMs: 5_000, stallTimeoutMs: 5_000 },
    ...options,
  });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { ...group, batches, hold };
}

/** The error of a refused item. */
export const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterS: 1 };
/** Waits for one iteration of the event loop. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
