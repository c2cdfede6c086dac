import { AppError } from '../errors.ts';

/** Work that shares its commits: what waits while one is under way makes up the next one. */
export type GroupCommit<Item, Outcome> = {
  /**
   * Commits the item, with whatever else waits, and returns its own outcome. Throws SERVICE_UNAVAILABLE, with nothing
   * done, when too many wait already, when its turn does not come in time, or after `drain`.
   */
  add(item: Item): Promise<Outcome>;
  /** Runs work that would conflict with a commit: in its turn, with no commit beside it. Refused as `add` is. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Takes nothing more, and settles when all that was admitted has its outcome. */
  drain(): Promise<void>;
};

export type GroupCommitOptions<Item, Outcome> = {
  /**
   * Commits all items, and returns an outcome for each in their order; an Error refuses that one item. When it throws,
   * nothing of any item is done: SERVICE_UNAVAILABLE when it could not get through until `endsAt` (`performance.now()`).
   */
  commit(items: readonly Item[], endsAt: number): Promise<readonly (Outcome | Error)[]>;
  /** How large an item is in the commit. */
  bytesOf(item: Item): number;
  /** Whether a failure has nothing to do with any one item, so that trying them one by one would only fail again. */
  concernsAll(error: unknown): boolean;
  /** What one commit carries at most; an item larger than `maxBytes` goes alone. */
  maxItems: number;
  maxBytes: number;
  /** How many may wait, and how long each, from its coming to its outcome. */
  maxWaiting: number;
  maxWaitMs: number;
};

type Place = { endsAt: number; reject(error: unknown): void };
type Member<Item, Outcome> = Place & { item: Item; bytes: number; resolve(outcome: Outcome): void };
/** Its work settles the caller's promise by itself. */
type Soloist = Place & { run(): Promise<void> };

const unavailable = () => new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });

/**
 * One commit at a time, begun at once when none is under way: an item alone waits for nobody, and the busier the
 * process, the more each commit carries. No timer gathers anything.
 */
export function createGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  const { commit, bytesOf, concernsAll, maxItems, maxBytes, maxWaiting, maxWaitMs } = options;
  type Waiting = Member<Item, Outcome> | Soloist;
  const queue: Waiting[] = [];
  let running: Promise<void> | null = null;
  let isDraining = false;

  function join<T>(toWaiting: (place: Place, resolve: (value: T) => void) => Waiting): Promise<T> {
    if (isDraining || queue.length >= maxWaiting) return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiting = toWaiting({ endsAt: performance.now() + maxWaitMs, reject }, resolve);
    // All wait equally long, so whoever came before a late one is late as well.
    const timer = setTimeout(() => refuseFirst(queue.indexOf(waiting) + 1), maxWaitMs);
    queue.push(waiting);
    running ??= run();
    return promise.finally(() => clearTimeout(timer));
  }

  function refuseFirst(count: number): void {
    for (const { reject } of queue.splice(0, count)) reject(unavailable());
  }

  async function run(): Promise<void> {
    for (let turn = takeTurn(); turn.length > 0; turn = takeTurn()) {
      const [first] = turn;
      if (first && 'run' in first) await first.run();
      else await settle(turn as Member<Item, Outcome>[]);
    }
    running = null;
  }

  /** The next soloist, or as many of the members before it as one commit carries. */
  function takeTurn(): Waiting[] {
    const [first] = queue;
    if (!first || 'run' in first) return queue.splice(0, 1);
    let bytes = 0;
    const isOver = (waiting: Waiting, index: number) => {
      if ('run' in waiting || index >= maxItems) return true;
      bytes += waiting.bytes;
      return index > 0 && bytes > maxBytes;
    };
    const end = queue.findIndex(isOver);
    return queue.splice(0, end < 0 ? queue.length : end);
  }

  async function settle(members: readonly Member<Item, Outcome>[]): Promise<void> {
    const items = members.map(({ item }) => item);
    try {
      const outcomes = await commit(items, members[0]?.endsAt ?? 0);
      for (const [index, member] of members.entries()) {
        const outcome = outcomes[index];
        if (outcome instanceof Error) member.reject(outcome);
        else member.resolve(outcome as Outcome);
      }
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') takeBack(members, error);
      else if (members.length === 1 || concernsAll(error)) for (const { reject } of members) reject(error);
      // One of them spoils it: each for itself, so that it fails alone.
      else for (const member of members) await settle([member]);
    }
  }

  /** The first one's time was up, and the commit's with it; those that came later have time left, and go first. */
  function takeBack(members: readonly Member<Item, Outcome>[], error: AppError): void {
    const now = performance.now();
    const inTime = members.filter(({ endsAt }) => endsAt > now);
    // A commit that gave up before anybody's time was over would be tried for ever.
    const back = inTime.length < members.length ? inTime : [];
    for (const member of members) if (!back.includes(member)) member.reject(error);
    queue.unshift(...back);
  }

  return {
    add: (item) => join((place, resolve) => ({ ...place, item, bytes: bytesOf(item), resolve })),
    alone: (work) => join((place, resolve) => ({ ...place, run: () => work().then(resolve, place.reject) })),
    async drain() {
      isDraining = true;
      while (running) await running;
    },
  };
}
