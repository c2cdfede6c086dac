import { AppError } from '../errors.ts';

/** Work that shares its commits: what waits while one is under way makes up the next one. */
export type GroupCommit<Item, Outcome> = {
  /**
   * Commits the item, with whatever else waits, and returns its own outcome. Throws SERVICE_UNAVAILABLE, with nothing
   * done, when too many wait already, when its turn does not come in time, or after `drain`.
   */
  add(item: Item): Promise<Outcome>;
  /**
   * Runs work that would conflict with a commit: in its turn, with no commit beside it unless it is held up for longer
   * than `patienceMs`. Refused as `add` is.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Takes nothing more, and settles when all that was admitted has its outcome. */
  drain(): Promise<void>;
};

export type GroupCommitOptions<Item, Outcome> = {
  /**
   * Commits all items, and returns an outcome for each in their order; an Error refuses that one item. When it throws,
   * nothing of any item is done: SERVICE_UNAVAILABLE when it could not get through until `endsAt` (`performance.now()`),
   * because others hold what it needs.
   */
  commit(items: readonly Item[], endsAt: number): Promise<readonly (Outcome | Error)[]>;
  /** What is to be waited for, if anything, before it is settled who shares the next commit. Must not reject. */
  beforeCommit?(): Promise<void> | undefined;
  /** How large an item is in the commit. */
  bytesOf(item: Item): number;
  /** What the item contends for: items of one key are committed in their order. */
  keyOf(item: Item): string;
  /** Whether a failure has nothing to do with any one item, so that trying them one by one would only fail again. */
  concernsAll(error: unknown): boolean;
  /** What one commit carries at most; asked for each. An item larger than `maxBytes` goes alone. */
  maxItems(): number;
  maxBytes: number;
  /** How many may wait, and how long each, from its coming to its outcome. */
  maxWaiting: number;
  maxWaitMs: number;
  /** How long a commit of several keys, or work alone, is held up by others before the rest goes on without it. */
  patienceMs: number;
};

type Place = { endsAt: number; reject(error: unknown): void };
type Member<Item, Outcome> = Place & { item: Item; key: string; bytes: number; resolve(outcome: Outcome): void };
/** Its work settles the caller's promise by itself. */
type Soloist = Place & { run(): Promise<void> };

const unavailable = () => new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });

/**
 * One commit at a time, begun at once when none is under way: an item alone waits for nobody, and the busier the
 * process, the more each commit carries. No timer gathers anything. Only what somebody else holds up for long (a process
 * that was killed in the middle, say) is committed beside the others, key by key, so that they need not wait for it.
 */
export function createGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  const { bytesOf, keyOf, maxWaiting, maxWaitMs } = options;
  type Waiting = Member<Item, Outcome> | Soloist;
  const queue: Waiting[] = [];
  /** Keys that are held up, with the commit of each. */
  const heldUp = new Map<string, Promise<void>>();
  const soloists = new Set<Promise<void>>();
  let running = Promise.resolve();
  let isRunning = false;
  let isDraining = false;

  function join<T>(toWaiting: (place: Place, resolve: (value: T) => void) => Waiting): Promise<T> {
    if (isDraining || queue.length >= maxWaiting) return Promise.reject(unavailable());
    const { promise, resolve, reject: refuse } = Promise.withResolvers<T>();
    const waiting = toWaiting({ endsAt: performance.now() + maxWaitMs, reject: refuse }, resolve);
    // All wait equally long, so whoever came before a late one is late as well.
    const timer = setTimeout(() => reject(queue.splice(0, queue.indexOf(waiting) + 1), unavailable()), maxWaitMs);
    queue.push(waiting);
    start();
    return promise.finally(() => clearTimeout(timer));
  }

  function start(): void {
    if (!isRunning) running = run();
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      const before = options.beforeCommit?.();
      if (before) await before;
      const turn = takeTurn(queue, heldUp, options);
      const [first] = turn;
      if (!first) break;
      if ('run' in first) await giveTurn(first, soloists, options.patienceMs);
      else await settle(turn as Member<Item, Outcome>[]);
    }
    isRunning = false;
  }

  /** `isOnItsOwn`: all are of one key that is held up, and nobody else waits for them. */
  async function settle(members: readonly Member<Item, Outcome>[], isOnItsOwn = false): Promise<void> {
    if (members.length === 0) return;
    const lastAt = members[0]?.endsAt ?? 0;
    const endsAt = isOnItsOwn ? lastAt : Math.min(lastAt, performance.now() + options.patienceMs);
    const items = members.map(({ item }) => item);
    try {
      const outcomes = await options.commit(items, endsAt);
      for (const [index, member] of members.entries()) answer(member, outcomes[index]);
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') {
        const inTime = rejectLate(members, error);
        // A commit that gave up before anybody's time was over would be tried for ever.
        if (!isOnItsOwn) part(inTime);
        else if (inTime.length < members.length) await settle(inTime, true);
        else reject(members, error);
      } else if (members.length === 1 || options.concernsAll(error)) reject(members, error);
      // One of them spoils it: each for itself, so that it fails alone.
      else for (const member of members) await settle([member], isOnItsOwn);
    }
  }

  /** Somebody else holds what one of the keys needs, and nobody can tell which: from here on each is on its own. */
  function part(members: readonly Member<Item, Outcome>[]): void {
    for (const [key, ofKey] of Map.groupBy(members, (member) => member.key)) {
      const ended = (heldUp.get(key) ?? Promise.resolve())
        .then(() => settle(ofKey, true))
        .finally(() => {
          if (heldUp.get(key) === ended) heldUp.delete(key);
          start();
        });
      heldUp.set(key, ended);
    }
  }

  return {
    add: (item) => join((place, resolve) => ({ ...place, item, key: keyOf(item), bytes: bytesOf(item), resolve })),
    alone: (work) => join((place, resolve) => ({ ...place, run: () => work().then(resolve, place.reject) })),
    async drain() {
      isDraining = true;
      while (isRunning || heldUp.size > 0 || soloists.size > 0)
        await Promise.all([running, ...heldUp.values(), ...soloists]);
    },
  };
}

/** Waits for its work, but not for ever: whoever holds it up must not hold up everybody else. */
async function giveTurn({ run }: Soloist, atWork: Set<Promise<void>>, patienceMs: number): Promise<void> {
  const { promise: isLate, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  const ended = run().finally(() => {
    clearTimeout(timer);
    atWork.delete(ended);
  });
  atWork.add(ended);
  await Promise.race([ended, isLate]);
}

function reject(places: readonly Place[], error: unknown): void {
  for (const place of places) place.reject(error);
}

function answer<Item, Outcome>(member: Member<Item, Outcome>, outcome: Outcome | Error | undefined): void {
  if (outcome instanceof Error) member.reject(outcome);
  else member.resolve(outcome as Outcome);
}

/** Rejects those whose time is over, and returns the others. */
function rejectLate<P extends Place>(places: readonly P[], error: unknown): P[] {
  const now = performance.now();
  reject(
    places.filter(({ endsAt }) => endsAt <= now),
    error,
  );
  return places.filter(({ endsAt }) => endsAt > now);
}

/** Takes the next soloist, or as many before it as one commit carries, out of the queue; nobody whose key is held up. */
function takeTurn<W extends Soloist | { key: string; bytes: number }>(
  queue: W[],
  heldUp: ReadonlyMap<string, unknown>,
  { maxItems, maxBytes }: { maxItems(): number; maxBytes: number },
): W[] {
  const turn: W[] = [];
  const left: W[] = [];
  let bytes = 0;
  let isFull = false;
  const most = maxItems();
  for (const waiting of queue) {
    if (isFull || ('key' in waiting && heldUp.has(waiting.key))) {
      left.push(waiting);
      continue;
    }
    bytes += 'bytes' in waiting ? waiting.bytes : 0;
    const isAlone = 'run' in waiting;
    isFull = turn.length > 0 && (isAlone || turn.length === most || bytes > maxBytes);
    (isFull ? left : turn).push(waiting);
    isFull ||= isAlone;
  }
  queue.splice(0, queue.length, ...left);
  return turn;
}
