import { type Clock, plusMs } from '../clock.ts';
import { AppError, invalid } from '../errors.ts';
import { isId, newId, timeOfId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import type { Log } from '../platform/log.ts';
import { Event, type EventRecord } from './event.model.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';
import { createEventTails, isOfMailJob, overlapMs, readEventsFrom, type TailEvent } from './event-tail.ts';

/** How often a stream does what, in milliseconds. */
export type StreamTimes = { pollMs: number; heartbeatMs: number; checkMs: number };

const defaultTimes: StreamTimes = { pollMs: 1_000, heartbeatMs: 15_000, checkMs: 5_000 };

/** Streams of one owner, and of one process. */
const maxOfOwner = 10;
const maxOfProcess = 500;
/**
 * Events: what one stream replays after its client's last one before it asks him to come again, which is also what it
 * remembers to have sent; and what waits for a client who reads slowly, whose stream then ends.
 */
export type StreamLimits = { maxReplayed: number; maxWaiting: number };

const defaultLimits: StreamLimits = { maxReplayed: 10_000, maxWaiting: 5_000 };
const replayPage = 200;
const retryAfterS = 5;

/** Where a stream begins, as an id to resume from; an event; or a sign of life. */
export type StreamItem = { kind: 'start'; id: string } | { kind: 'event'; event: TailEvent } | { kind: 'heartbeat' };

export type StreamRequest = {
  /** The last event that the client has got; undefined for whoever wants only what is new. */
  after: string | undefined;
  /** Asked every 5 s: a stream must not outlive the right to it. */
  isAllowed: () => Promise<boolean>;
};

export type EventStreams = {
  /**
   * Opens a stream of an owner's events: the new ones, and with `after` first those since 10 s before that event, of
   * which the client drops what it has. Whoever opens one must take from it, and return it when nobody reads any more.
   * Throws VALIDATION_ERROR for an `after` that is no event's id, RATE_LIMITED for too many streams of one owner,
   * SERVICE_UNAVAILABLE for too many in this process.
   */
  open(owner: Owner, request: StreamRequest): Promise<AsyncIterableIterator<StreamItem>>;
  /** Ends all streams, as a process that stops must. */
  close(): void;
};

export type StreamOptions = { clock: Clock; log: Log; times?: Partial<StreamTimes>; limits?: Partial<StreamLimits> };

export function createEventStreams(options: StreamOptions): EventStreams {
  const { clock, log } = options;
  const times = { ...defaultTimes, ...options.times };
  const { maxReplayed, maxWaiting } = { ...defaultLimits, ...options.limits };
  const tails = createEventTails({ clock, log, pollMs: times.pollMs });
  const places = createPlaces();
  const queues = new Set<EventQueue>();
  let isClosed = false;

  return {
    async open(owner, { after, isAllowed }) {
      const startsAt = clock.now();
      const lastAt = after === undefined ? null : await findMoment(owner, after);
      if (isClosed) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS });
      const leave = places.take(owner);
      const queue = createEventQueue(maxWaiting);
      queues.add(queue);
      const unwatch = tails.watch(owner, queue);
      const items = follow({ owner, queue, startsAt, lastAt, isAllowed, times, maxReplayed });
      const end = () => {
        queue.end();
        queues.delete(queue);
        unwatch();
        leave();
      };
      const next = async () => {
        const item = await items.next().catch((error: unknown) => {
          end();
          throw error;
        });
        if (item.done) end();
        return item;
      };
      const stream: AsyncIterableIterator<StreamItem> = {
        next,
        // Not only the generator's own: that would wait for the item which it is waiting for.
        async return() {
          end();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]: () => stream,
      };
      return stream;
    },
    close() {
      isClosed = true;
      for (const queue of queues) queue.end();
      tails.close();
    },
  };
}

/** Counts the streams of each owner and of the process; giving a place back twice gives it back once. */
function createPlaces() {
  const ofOwner = new Map<string, number>();
  let ofProcess = 0;

  return {
    take({ organizationId, mode }: Owner): () => void {
      const key = `${organizationId} ${mode}`;
      const taken = ofOwner.get(key) ?? 0;
      if (ofProcess >= maxOfProcess) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS });
      if (taken >= maxOfOwner) {
        const message = `There are ${maxOfOwner} streams already. Close one, then try again.`;
        throw new AppError('RATE_LIMITED', { message, retryAfterS });
      }
      ofOwner.set(key, taken + 1);
      ofProcess += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        ofProcess -= 1;
        const left = (ofOwner.get(key) ?? 1) - 1;
        if (left === 0) ofOwner.delete(key);
        else ofOwner.set(key, left);
      };
    },
  };
}

/** When the event with this id was stamped; by the id itself, which tells its time, when it is no longer there. */
async function findMoment({ organizationId, mode }: Owner, eventId: string): Promise<Date> {
  if (!isId('evt', eventId)) throw invalid(['after'], 'Give the id of an event, or leave it out.');
  const event = await Event.findOne({ _id: eventId, organizationId, mode })
    .select({ at: 1 })
    .lean<Pick<EventRecord, 'at'>>();
  return event?.at ?? timeOfId(eventId);
}

type Following = {
  times: StreamTimes;
  owner: Owner;
  queue: EventQueue;
  startsAt: Date;
  /** Of the client's last event; null for one who wants only what is new. */
  lastAt: Date | null;
  isAllowed: () => Promise<boolean>;
  maxReplayed: number;
};

async function* follow(following: Following): AsyncGenerator<StreamItem, void> {
  const { owner, queue, startsAt, lastAt, isAllowed, times, maxReplayed } = following;
  const isNew = createRepeatFilter(maxReplayed);
  let checkedAt = performance.now();
  const isStillAllowed = async () => {
    if (performance.now() - checkedAt < times.checkMs) return true;
    // A database that is away says nothing about the caller; he is asked about again.
    const isLetIn = await isAllowed().catch(() => true);
    checkedAt = performance.now();
    return isLetIn;
  };
  // Also before the first event: a client that loses the connection then knows where it was.
  if (lastAt === null) yield { kind: 'start', id: newId('evt') };
  else {
    let after: TailEvent | null = null;
    let replayed = 0;
    while (!queue.isOver()) {
      // The next connection goes on from the last event of this one: so what goes back behind that does not count.
      if (replayed >= maxReplayed || !(await isStillAllowed())) return;
      const from = plusMs(lastAt, -overlapMs);
      const page: TailEvent[] = await readEventsFrom(owner, { from, after, limit: replayPage });
      replayed += page.filter(({ at }) => at > lastAt).length;
      for (const event of page) if (isOfMailJob(event) && isNew(event)) yield { kind: 'event', event };
      if (page.length < replayPage) break;
      after = page.at(-1) ?? null;
    }
  }
  // What was stamped before a stream began is not new to it, even if it is seen only now: resuming is for that.
  const isWanted = (event: TailEvent) => (lastAt !== null || event.at >= startsAt) && isNew(event);
  let spokeAt = performance.now();
  while (!queue.isOver()) {
    const events = await queue.take(Math.min(times.heartbeatMs, times.checkMs));
    if (!(await isStillAllowed())) return;
    for (const event of events.filter(isWanted)) {
      yield { kind: 'event', event };
      spokeAt = performance.now();
    }
    if (performance.now() - spokeAt >= times.heartbeatMs) {
      yield { kind: 'heartbeat' };
      spokeAt = performance.now();
    }
  }
}

/** Whether an event comes for the first time, as far as the last `capacity` are remembered. */
function createRepeatFilter(capacity: number): (event: TailEvent) => boolean {
  const sent = new Set<string>();
  return ({ _id }) => {
    if (sent.has(_id)) return false;
    sent.add(_id);
    // A set keeps the order in which it was filled: the first is the oldest.
    const [oldest] = sent;
    if (sent.size > capacity && oldest !== undefined) sent.delete(oldest);
    return true;
  };
}
