import { plusMs } from '../clock.ts';
import { AppError, invalid } from '../errors.ts';
import { isId, newId, timeOfId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { findRows } from '../platform/mongo/mongo.ts';
import type { ClusterTime } from '../platform/mongo/snapshot.ts';
import type { Log } from '../platform/process/log.ts';
import { Event, type EventRecord, eventKinds, eventsByOwner, pingPrefix } from './event.model.ts';
import { createEventFeed, type StreamedEvent } from './event-feed.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';

/** Intervals of a stream. */
export type StreamTimes = { heartbeatMs: number; checkMs: number };

const defaultTimes: StreamTimes = { heartbeatMs: 15_000, checkMs: 5_000 };

const maxPerOwner = 10;
/**
 * `maxPerProcess`: streams of all owners at a time. `maxReplayed`: events that one stream replays after the client's last event before it ends for the client to resume.
 * `maxWaiting`: events queued for a slow client before its stream ends.
 */
export type StreamLimits = { maxPerProcess: number; maxReplayed: number; maxWaiting: number };

const defaultLimits: StreamLimits = { maxPerProcess: 500, maxReplayed: 10_000, maxWaiting: 5_000 };
const replayPage = 200;
/**
 * How far a resumed stream goes back. An event is stamped when it is written but visible only after its commit, so the
 * client's last event may have later stamps than some that followed it.
 */
const overlapMs = 10_000;
const retryAfterS = 5;

/** `start` has an id to resume from before the first event. */
export type StreamItem =
  | { kind: 'start'; id: string }
  | { kind: 'event'; event: StreamedEvent }
  | { kind: 'heartbeat' };

export type StreamRequest = {
  /** Id of the last event that the client has; undefined for new events only. */
  after: string | undefined;
  /** Checked every 5 s: a stream ends when its credential is revoked. */
  isAllowed: () => Promise<boolean>;
};

export type EventStreams = {
  /**
   * Opens a stream of an owner's new events. With `after` it first replays the events since 10 s before that event, and
   * the client drops those it already has. The caller must read the stream, and call `return` when its client is gone.
   * Throws VALIDATION_ERROR for an `after` that is not an event id, RATE_LIMITED for too many streams of one owner,
   * SERVICE_UNAVAILABLE for too many in this process.
   */
  open(owner: Owner, request: StreamRequest): Promise<AsyncIterableIterator<StreamItem>>;
  /** Ends all streams. */
  close(): void;
};

export type StreamOptions = { log: Log; times?: Partial<StreamTimes>; limits?: Partial<StreamLimits> };

export function createEventStreams(options: StreamOptions): EventStreams {
  const times = { ...defaultTimes, ...options.times };
  const { maxPerProcess, maxReplayed, maxWaiting } = { ...defaultLimits, ...options.limits };
  const feed = createEventFeed(options.log);
  const quota = createStreamQuota(maxPerProcess);
  const ends = new Set<() => void>();
  let isClosed = false;

  return {
    async open(owner, { after, isAllowed }) {
      const lastAt = after === undefined ? null : await findTime(owner, after);
      if (isClosed) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS });
      const releaseQuota = quota.reserve(owner);
      const queue = createEventQueue(maxWaiting);
      const end = () => {
        queue.end();
        ends.delete(end);
        feed.leave(owner, queue);
        releaseQuota();
      };
      ends.add(end);
      const fail = (error: unknown) => {
        end();
        throw error;
      };
      const joinedAt = await feed.join(owner, queue).catch(fail);
      const items = follow({ owner, queue, joinedAt, lastAt, isAllowed, times, maxReplayed });
      const next = async () => {
        const item = await items.next().catch(fail);
        if (item.done) end();
        return item;
      };
      const stream: AsyncIterableIterator<StreamItem> = {
        next,
        // The generator's own `return` would wait for its pending `next`, so end the queue as well.
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
      for (const end of ends) end();
    },
  };
}

/** Limits the streams of each owner and of the process. The release function is idempotent. */
function createStreamQuota(maxPerProcess: number) {
  const countByOwner = new Map<string, number>();
  let processCount = 0;

  return {
    reserve({ organizationId, mode }: Owner): () => void {
      const key = `${organizationId} ${mode}`;
      const count = countByOwner.get(key) ?? 0;
      if (processCount >= maxPerProcess) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS });
      if (count >= maxPerOwner) {
        const message = `There are ${maxPerOwner} streams already. Close one, then try again.`;
        throw new AppError('RATE_LIMITED', { message, retryAfterS });
      }
      countByOwner.set(key, count + 1);
      processCount += 1;
      let isReserved = true;
      return () => {
        if (!isReserved) return;
        isReserved = false;
        processCount -= 1;
        const remaining = (countByOwner.get(key) ?? 1) - 1;
        if (remaining === 0) countByOwner.delete(key);
        else countByOwner.set(key, remaining);
      };
    },
  };
}

/** Returns the stamp of an event; when it is not stored any more, the time in its id. */
async function findTime({ organizationId, mode }: Owner, eventId: string): Promise<Date> {
  if (!isId('evt', eventId)) throw invalid(['after'], 'Give the id of an event, or leave it out.');
  const event = await Event.findOne({ _id: eventId, organizationId, mode })
    .select({ at: 1 })
    .lean<Pick<EventRecord, 'at'>>();
  return event?.at ?? timeOfId(eventId);
}

type FollowOptions = {
  times: StreamTimes;
  owner: Owner;
  queue: EventQueue;
  /** Events committed until then come from the database, later ones from the queue. */
  joinedAt: ClusterTime;
  /** Stamp of the client's last event; null for new events only. */
  lastAt: Date | null;
  isAllowed: () => Promise<boolean>;
  maxReplayed: number;
};

async function* follow(options: FollowOptions): AsyncGenerator<StreamItem, void> {
  const { owner, queue, joinedAt, lastAt, isAllowed, times, maxReplayed } = options;
  let checkedAt = performance.now();
  const isStillAllowed = async () => {
    if (performance.now() - checkedAt < times.checkMs) return true;
    // If the database is unavailable, keep the stream and check again later.
    const isStill = await isAllowed().catch(() => true);
    checkedAt = performance.now();
    return isStill;
  };
  // A client that loses its connection before the first event can resume from here.
  if (lastAt === null) yield { kind: 'start', id: newId('evt') };
  else {
    const from = plusMs(lastAt, -overlapMs);
    let after: StreamedEvent | null = null;
    let replayed = 0;
    let isEmpty = true;
    while (!queue.hasEnded()) {
      // Count only events after the client's last one, so that a resumed stream makes progress.
      if (replayed >= maxReplayed || !(await isStillAllowed())) return;
      const page = await readReplay(owner, { from, after, joinedAt });
      replayed += page.filter(({ at }) => at > lastAt).length;
      for (const event of page) {
        if (event.subjectId.startsWith(pingPrefix)) continue;
        isEmpty = false;
        yield { kind: 'event', event };
      }
      if (page.length < replayPage) break;
      after = page.at(-1) ?? null;
    }
    // The headers of the answer are sent with its first item, and a client may not wait for the next heartbeat.
    if (isEmpty) yield { kind: 'heartbeat' };
  }
  let sentAt = performance.now();
  while (!queue.hasEnded()) {
    const events = await queue.take(Math.min(times.heartbeatMs, times.checkMs));
    if (!(await isStillAllowed())) return;
    for (const event of events) {
      if (event.clusterTime.lessThanOrEqual(joinedAt)) continue;
      yield { kind: 'event', event };
      sentAt = performance.now();
    }
    if (performance.now() - sentAt >= times.heartbeatMs) {
      yield { kind: 'heartbeat' };
      sentAt = performance.now();
    }
  }
}

/** Returns a page of the events visible at `joinedAt`, oldest first, after the event `after` or from the time `from`. */
async function readReplay(
  { organizationId, mode }: Owner,
  { from, after, joinedAt }: { from: Date; after: StreamedEvent | null; joinedAt: ClusterTime },
): Promise<StreamedEvent[]> {
  const range = after
    ? { at: { $gte: after.at }, $or: [{ at: { $gt: after.at } }, { _id: { $gt: after._id } }] }
    : { at: { $gte: from } };
  const filter = { organizationId, mode, kind: { $in: eventKinds }, ...range };
  return await findRows(Event, filter, {
    projection: { kind: 1, subjectId: 1, body: 1, at: 1 },
    sort: { at: 1, _id: 1 },
    // The TTL index by time alone would scan the events of all owners.
    hint: eventsByOwner,
    limit: replayPage,
    readConcern: { level: 'snapshot', atClusterTime: joinedAt },
  });
}
