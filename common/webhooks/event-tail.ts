import { type Clock, plusMs } from '../clock.ts';
import type { Owner } from '../modes.ts';
import type { Log } from '../platform/log.ts';
import { Event, type EventRecord, eventKinds, ownersEvents } from './event.model.ts';
import { pingPrefix } from './test-headers.ts';

/** An event as it is streamed. */
export type TailEvent = Pick<EventRecord, '_id' | 'kind' | 'subjectId' | 'body' | 'at'>;

/** Who is told of new events. `end` comes once: nothing follows it. */
export type TailListener = { push(events: readonly TailEvent[]): void; end(): void };

/** Looks for an owner's new events, for as long as somebody listens: one poll, however many listen. */
export type EventTails = {
  /** Tells of every event that becomes visible from now on; the function that is returned ends it. */
  watch(owner: Owner, listener: TailListener): () => void;
  close(): void;
};

/**
 * An event is stamped when it is written, and seen when its transaction has committed: later than events that were
 * stamped after it, by what the clocks of two machines differ and by what the commit takes. It is asked for within 5 s.
 * So each look goes back by this, and so does whoever resumes.
 */
export const overlapMs = 10_000;
/**
 * Only a commit whose connection broke is asked for again, and may succeed until the database ends the transaction: 7 s
 * after its beginning as we start it, 15 s as long as we do not warn, and half of that more until it looks. So from
 * time to time a look goes back by this.
 */
const farOverlapMs = 30_000;
const looksPerFarOne = 5;
const pageSize = 1_000;
/** Pages a second of events; an owner who has more than that is told to come again, and catches up page by page. */
const maxPagesPerS = 1;

export function createEventTails(options: { clock: Clock; log: Log; pollMs: number }): EventTails {
  const tails = new Map<string, { add(listener: TailListener): () => void; close(): void }>();

  return {
    watch(owner, listener) {
      const key = `${owner.organizationId} ${owner.mode}`;
      const tail = tails.get(key) ?? startTail(owner, options, () => tails.delete(key));
      tails.set(key, tail);
      return tail.add(listener);
    },
    close() {
      for (const tail of tails.values()) tail.close();
    },
  };
}

function startTail(
  owner: Owner,
  { clock, log, pollMs }: { clock: Clock; log: Log; pollMs: number },
  onEnd: () => void,
) {
  const listeners = new Set<TailListener>();
  let looks = 0;
  let lookedAt = clock.now();
  let lookedFarAt = lookedAt;
  /** What any look to come may find again. */
  let seen = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  async function look(): Promise<void> {
    const now = clock.now();
    const isFar = looks % looksPerFarOne === 0;
    const backMs = isFar ? farOverlapMs : overlapMs;
    const found = await findStamps(owner, plusMs(isFar ? lookedFarAt : lookedAt, -backMs), backMs);
    if (found === null) return close();
    // What was stamped long before anybody listened is only noted: it is not late, it was there.
    const noticedFrom = looks === 0 ? plusMs(now, -overlapMs) : new Date(0);
    const fresh = found.filter(({ _id, at }) => !seen.has(_id) && at >= noticedFrom).map(({ _id }) => _id);
    const events = await readEvents(owner, fresh);
    if (isFar) seen = new Set();
    for (const { _id } of found) seen.add(_id);
    if (isFar) lookedFarAt = now;
    lookedAt = now;
    looks += 1;
    if (events.length > 0) for (const listener of listeners) listener.push(events);
  }
  async function run(): Promise<void> {
    try {
      await look();
    } catch (error) {
      log.warn({ err: error }, 'new events not looked for; tried again');
    }
    if (!isOver) timer = setTimeout(run, pollMs);
  }
  function close(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    onEnd();
    for (const listener of [...listeners]) listener.end();
  }
  timer = setTimeout(run, 0);

  return {
    add(listener: TailListener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
    close,
  };
}

type Stamp = Pick<EventRecord, '_id' | 'at'>;

/** What is there from a moment on, from the index alone; null when it is more than a look that far back may read. */
async function findStamps(owner: Owner, from: Date, backMs: number): Promise<Stamp[] | null> {
  const found: Stamp[] = [];
  const maxPages = (maxPagesPerS * backMs) / 1_000;
  for (let page = 0; page < maxPages; page += 1) {
    const rows = await findFrom(owner, { from, after: found.at(-1) ?? null, limit: pageSize }).lean<Stamp[]>();
    found.push(...rows);
    if (rows.length < pageSize) return found;
  }
  return null;
}

async function readEvents({ organizationId, mode }: Owner, ids: readonly string[]): Promise<TailEvent[]> {
  if (ids.length === 0) return [];
  const rows = await Event.find({ _id: { $in: [...ids] }, organizationId, mode })
    .select({ kind: 1, subjectId: 1, body: 1, at: 1 })
    .lean<TailEvent[]>();
  return rows.filter(isOfMailJob).sort(byTime);
}

/** A page of an owner's events from a moment on, the oldest first. */
export async function readEventsFrom(
  owner: Owner,
  position: { from: Date; after: Stamp | null; limit: number },
): Promise<TailEvent[]> {
  return await findFrom(owner, position).select({ kind: 1, subjectId: 1, body: 1, at: 1 }).lean<TailEvent[]>();
}

function findFrom(
  { organizationId, mode }: Owner,
  { from, after, limit }: { from: Date; after: Stamp | null; limit: number },
) {
  const owned = { organizationId, mode, kind: { $in: eventKinds } };
  const range = after
    ? { at: { $gte: after.at }, $or: [{ at: { $gt: after.at } }, { _id: { $gt: after._id } }] }
    : { at: { $gte: from } };
  return (
    Event.find({ ...owned, ...range })
      .sort({ at: 1, _id: 1 })
      .limit(limit)
      // The index by time alone would go through the events of everybody.
      .hint(ownersEvents)
      .select({ at: 1 })
  );
}

/** A test is for one webhook, not for whoever listens. */
export function isOfMailJob({ subjectId }: TailEvent): boolean {
  return !subjectId.startsWith(pingPrefix);
}

function byTime(left: TailEvent, right: TailEvent): number {
  return left.at.getTime() - right.at.getTime() || (left._id < right._id ? -1 : 1);
}
