import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '#common/errors.ts';
import { runOutsideSpans } from '../spans/tracing.ts';
import { withTimeout } from './with-timeout.ts';

/** Natural batching: at most one commit is in flight, and items that arrive meanwhile form the next batch. */
export type GroupCommit<Item, Outcome> = {
  /**
   * Commits the item in a batch with the others that wait, and returns its own outcome. Throws SERVICE_UNAVAILABLE, with
   * nothing done, when the queue is full, when the item waits too long, or after `drain`.
   */
  add(item: Item): Promise<Outcome>;
  /**
   * Runs an exclusive task: work that would conflict with a commit, between two commits. If it stalls for longer than
   * `stallTimeoutMs`, commits continue beside it. Throws as `add`.
   */
  runExclusive<T>(task: () => Promise<T>): Promise<T>;
  /** Refuses new work, and resolves when all admitted work has its outcome. */
  drain(): Promise<void>;
};

export type GroupCommitOptions<Item, Outcome> = {
  /**
   * Commits all items, and returns their outcomes in the same order. An Error as outcome refuses that one item. When
   * `commit` throws, nothing of any item is done. It throws SERVICE_UNAVAILABLE when other transactions block it until
   * `endsAt` (`performance.now()`).
   */
  commit(items: readonly Item[], endsAt: number): Promise<readonly (Outcome | Error)[]>;
  /** Awaited before each batch is chosen, if it returns a promise. Must not reject. */
  beforeCommit?(): Promise<void> | undefined;
  /** Returns the size of an item in the commit. */
  bytesOf(item: Item): number;
  /** Returns what the item contends for. Items with the same key are committed in order. */
  keyOf(item: Item): string;
  /** Returns whether a failure is unrelated to any single item, so retrying the items separately is useless. */
  concernsAll(error: unknown): boolean;
  /** Limits of one batch. `maxItems` is called for each. An item larger than `maxBytes` is committed alone. */
  maxItems(): number;
  maxBytes: number;
  /** Length of the queue, and the longest time from an item's arrival to its outcome. */
  maxWaiting: number;
  maxWaitMs: number;
  /** How long other transactions may block a batch or an exclusive task before the rest of the queue proceeds. */
  stallTimeoutMs: number;
};

type Pending = { endsAt: number; reject(error: unknown): void };
type PendingItem<Item, Outcome> = Pending & {
  item: Item;
  key: string;
  bytes: number;
  resolve(outcome: Outcome): void;
};
/** `run` settles the caller's promise and never rejects. */
type ExclusiveTask = Pending & { run(): Promise<void> };

const unavailable = () => new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });

/**
 * Creates a group commit. There is no batching window: a commit starts at once when none is in flight, and batches grow
 * with the load. When another transaction blocks a batch for longer than the stall timeout (a process killed
 * mid-transaction, say), its keys are isolated: each is committed separately, beside the others. This avoids
 * head-of-line blocking.
 */
export function createGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  const { bytesOf, keyOf, maxWaiting, maxWaitMs } = options;
  type QueueEntry = PendingItem<Item, Outcome> | ExclusiveTask;
  const queue: QueueEntry[] = [];
  /** Isolated keys, each with its last commit. */
  const blockedKeys = new Map<string, Promise<void>>();
  const exclusiveTasks = new Set<Promise<void>>();
  let running = Promise.resolve();
  let isRunning = false;
  let isDraining = false;

  function enqueue<T>(toEntry: (base: Pending, resolve: (value: T) => void) => QueueEntry): Promise<T> {
    if (isDraining || queue.length >= maxWaiting) return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const entry = toEntry({ endsAt: performance.now() + maxWaitMs, reject }, resolve);
    // All entries have the same time limit, so the entries before an expired one have expired too.
    const timer = setTimeout(() => rejectAll(queue.splice(0, queue.indexOf(entry) + 1), unavailable()), maxWaitMs);
    queue.push(entry);
    start();
    return promise.finally(() => clearTimeout(timer));
  }

  function start(): void {
    if (!isRunning) running = runOutsideSpans(run);
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      const before = options.beforeCommit?.();
      if (before) await before;
      const batch = takeBatch(queue, blockedKeys, options);
      const [first] = batch;
      if (!first) break;
      if ('run' in first) await runUntilStalled(first, exclusiveTasks, options.stallTimeoutMs);
      else await commitBatch(batch as PendingItem<Item, Outcome>[]);
    }
    isRunning = false;
  }

  /** `isIsolated`: all members have the same blocked key, and no other item waits for this commit. */
  async function commitBatch(members: readonly PendingItem<Item, Outcome>[], isIsolated = false): Promise<void> {
    if (members.length === 0) return;
    const deadline = members[0]?.endsAt ?? 0;
    const endsAt = isIsolated ? deadline : Math.min(deadline, performance.now() + options.stallTimeoutMs);
    const items = members.map(({ item }) => item);
    try {
      const outcomes = await options.commit(items, endsAt);
      for (const [index, member] of members.entries()) settle(member, outcomes[index]);
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') {
        const inTime = rejectExpired(members, error);
        if (!isIsolated) isolateByKey(inTime);
        else if (inTime.length < members.length) await commitBatch(inTime, true);
        // No member has expired, so a retry could fail at once, without end.
        else rejectAll(members, error);
      } else if (members.length === 1 || options.concernsAll(error)) rejectAll(members, error);
      // One item may have failed the batch: retry each alone, and only that one fails.
      else for (const member of members) await commitBatch([member], isIsolated);
    }
  }

  /** Another transaction blocks one of these keys. It cannot be told which, so each key is retried separately. */
  function isolateByKey(members: readonly PendingItem<Item, Outcome>[]): void {
    for (const [key, ofKey] of Map.groupBy(members, (member) => member.key)) {
      const ended = (blockedKeys.get(key) ?? Promise.resolve())
        .then(() => commitBatch(ofKey, true))
        .finally(() => {
          if (blockedKeys.get(key) === ended) blockedKeys.delete(key);
          start();
        });
      blockedKeys.set(key, ended);
    }
  }

  return {
    add: (item) => enqueue((base, resolve) => ({ ...base, item, key: keyOf(item), bytes: bytesOf(item), resolve })),
    runExclusive: (task) => enqueue(exclusiveOf(task)),
    async drain() {
      isDraining = true;
      while (isRunning || blockedKeys.size > 0 || exclusiveTasks.size > 0)
        await Promise.all([running, ...blockedKeys.values(), ...exclusiveTasks]);
    },
  };
}

/** Returns what to queue for a task. It continues the span of its caller: unlike a commit, it has one. */
function exclusiveOf<T>(task: () => Promise<T>) {
  const asCaller = AsyncLocalStorage.bind(task);
  return (base: Pending, resolve: (value: T) => void): ExclusiveTask => ({
    ...base,
    run: () => asCaller().then(resolve, base.reject),
  });
}

/** Bounded wait for an exclusive task: avoids head-of-line blocking. */
async function runUntilStalled(
  { run }: ExclusiveTask,
  exclusiveTasks: Set<Promise<void>>,
  stallTimeoutMs: number,
): Promise<void> {
  const ended = run().finally(() => exclusiveTasks.delete(ended));
  exclusiveTasks.add(ended);
  await withTimeout(ended, stallTimeoutMs, () => {});
}

function rejectAll(pending: readonly Pending[], error: unknown): void {
  for (const { reject } of pending) reject(error);
}

function settle<Item, Outcome>(member: PendingItem<Item, Outcome>, outcome: Outcome | Error | undefined): void {
  if (outcome instanceof Error) member.reject(outcome);
  else member.resolve(outcome as Outcome);
}

/** Rejects the members whose time is over, and returns the others. */
function rejectExpired<P extends Pending>(members: readonly P[], error: unknown): P[] {
  const now = performance.now();
  rejectAll(
    members.filter(({ endsAt }) => endsAt <= now),
    error,
  );
  return members.filter(({ endsAt }) => endsAt > now);
}

/**
 * Removes the next batch from the queue and returns it: an exclusive task, or the items before the next one, within the
 * limits. Skips items whose keys are blocked.
 */
function takeBatch<Entry extends ExclusiveTask | { key: string; bytes: number }>(
  queue: Entry[],
  blockedKeys: ReadonlyMap<string, unknown>,
  { maxItems, maxBytes }: { maxItems(): number; maxBytes: number },
): Entry[] {
  const batch: Entry[] = [];
  const remaining: Entry[] = [];
  let bytes = 0;
  let isFull = false;
  const limit = maxItems();
  for (const entry of queue) {
    if (isFull || ('key' in entry && blockedKeys.has(entry.key))) {
      remaining.push(entry);
      continue;
    }
    bytes += 'bytes' in entry ? entry.bytes : 0;
    const isExclusive = 'run' in entry;
    isFull = batch.length > 0 && (isExclusive || batch.length === limit || bytes > maxBytes);
    (isFull ? remaining : batch).push(entry);
    isFull ||= isExclusive;
  }
  queue.splice(0, queue.length, ...remaining);
  return batch;
}
