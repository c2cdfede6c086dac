import { setTimeout as sleep } from 'node:timers/promises';
import { createGroupCommit, type GroupCommitOptions } from '../../common/platform/group-commit.ts';

type Options = Partial<GroupCommitOptions<string, string>>;

/** A group commit whose commits end when the test says so; without a say they end by themselves. */
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
    ...{ maxItems: () => 256, maxBytes: 1_000, maxWaiting: 2_000, maxWaitMs: 5_000, patienceMs: 5_000 },
    ...options,
  });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { ...group, batches, hold };
}

/** What an item that is not taken throws. */
export const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterS: 1 };
/** Keeps no process alive: some tests go on long before it is over. */
export const pause = (ms: number) => sleep(Math.max(0, ms), undefined, { ref: false });
/** One turn of the event loop. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
