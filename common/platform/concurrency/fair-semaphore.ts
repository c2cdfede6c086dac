import { LRUCache } from 'lru-cache';
import type { Owner } from '#common/modes.ts';

/** The most groups whose last permit is remembered. */
const maxKnown = 10_000;

/** One of those that share the permits: an organization, in both modes together, or any other group by its name. */
export type PermitGroup = Owner | string;

/** Too much work waits in this process: release it and retry later. */
export class SemaphoreFullError extends Error {
  override readonly name = 'SemaphoreFullError';
}

export type FairSemaphoreOptions = {
  permits: number;
  /** The most permits of one group. Default: all. */
  maxPerGroup?: number;
  /** The most work that waits: in total, and of one group. */
  maxWaiting: number;
  maxWaitingPerGroup?: number;
};

/** A bounded number of permits, shared fairly between groups. */
export type FairSemaphore = {
  /** Waits for a permit. Throws `SemaphoreFullError` when too much waits, or the signal's reason. */
  acquire(group: PermitGroup, signal?: AbortSignal): Promise<void>;
  /** Acquires a permit if one is free. A free permit implies that only groups with their most permits wait. */
  tryAcquire(group: PermitGroup): boolean;
  /** Returns whether a group waits that holds fewer permits than this one. */
  shouldYield(group: PermitGroup): boolean;
  /** Releases a permit to the next waiter, if any. */
  release(group: PermitGroup): void;
};

type Waiter = { group: PermitGroup; grant(): void };

const nameOf = (group: PermitGroup) => (typeof group === 'string' ? group : group.organizationId);
const isTest = (group: PermitGroup) => (typeof group !== 'string' && group.mode === 'test' ? 1 : 0);

/**
 * Creates a semaphore whose permits go to the group that holds the fewest, then to the one whose last permit is the
 * oldest, then to live work before test work, then in order of arrival. A group that arrives while another holds all
 * permits gets the next one.
 */
export function createFairSemaphore(options: FairSemaphoreOptions): FairSemaphore {
  const { permits, maxPerGroup = permits, maxWaiting, maxWaitingPerGroup = maxWaiting } = options;
  const heldCounts = new Map<string, number>();
  const servedAt = new LRUCache<string, number>({ max: maxKnown });
  let served = 0;
  let waiting: Waiter[] = [];
  let free = permits;

  const held = (group: PermitGroup) => heldCounts.get(nameOf(group)) ?? 0;
  const lastServed = (group: PermitGroup) => servedAt.get(nameOf(group)) ?? 0;

  function count(group: PermitGroup, change: 1 | -1): void {
    const now = held(group) + change;
    if (now === 0) heldCounts.delete(nameOf(group));
    else heldCounts.set(nameOf(group), now);
  }

  function recordGrant(group: PermitGroup): void {
    count(group, 1);
    served += 1;
    servedAt.set(nameOf(group), served);
  }

  function tryAcquire(group: PermitGroup): boolean {
    if (free === 0 || held(group) >= maxPerGroup) return false;
    free -= 1;
    recordGrant(group);
    return true;
  }

  function isFull(group: PermitGroup): boolean {
    const own = waiting.filter((waiter) => nameOf(waiter.group) === nameOf(group));
    return waiting.length >= maxWaiting || own.length >= maxWaitingPerGroup;
  }

  /** The sort is stable, so equal waiters keep the order of arrival. */
  function nextWaiter(): Waiter | undefined {
    const [next] = waiting
      .filter(({ group }) => held(group) < maxPerGroup)
      .toSorted(({ group: a }, { group: b }) => {
        return held(a) - held(b) || lastServed(a) - lastServed(b) || isTest(a) - isTest(b);
      });
    waiting = waiting.filter((waiter) => waiter !== next);
    return next;
  }

  return {
    tryAcquire,
    shouldYield: (group) => waiting.some((waiter) => held(waiter.group) < held(group)),
    async acquire(group, signal) {
      signal?.throwIfAborted();
      if (tryAcquire(group)) return;
      if (isFull(group)) throw new SemaphoreFullError('Too much work waits for a permit.');

      await new Promise<void>((resolve, reject) => {
        const waiter: Waiter = {
          group,
          grant() {
            signal?.removeEventListener('abort', abandon);
            recordGrant(group);
            resolve();
          },
        };
        const abandon = () => {
          waiting = waiting.filter((other) => other !== waiter);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', abandon, { once: true });
        waiting.push(waiter);
      });
    },
    release(group) {
      count(group, -1);
      const next = nextWaiter();
      if (next) next.grant();
      else free += 1;
    },
  };
}

/** Runs work with a permit, as soon as there is one. Throws as `acquire` and as the work does. */
export async function withPermit<Result>(
  semaphore: FairSemaphore,
  group: PermitGroup,
  work: () => Promise<Result>,
): Promise<Result> {
  await semaphore.acquire(group);
  try {
    return await work();
  } finally {
    semaphore.release(group);
  }
}
