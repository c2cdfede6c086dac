import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../modes.ts';
import { isMongoUnavailable } from '../platform/mongo/mongo.ts';
import { type ClusterTime, readClusterTime } from '../platform/mongo/snapshot.ts';
import type { Log } from '../platform/process/log.ts';
import { Event, type EventRecord, pingPrefix } from './event.model.ts';

/** An event as streamed. */
export type StreamedEvent = Pick<EventRecord, '_id' | 'kind' | 'subjectId' | 'body' | 'at'>;

/** An event and the time of its commit. */
export type CommittedEvent = StreamedEvent & { clusterTime: ClusterTime };

/** Receives events in the order of their commits. `end` is called at most once, as the last call. */
export type FeedListener = { push(events: readonly CommittedEvent[]): void; end(): void };

/** Delivers new events of all owners from one change stream of MongoDB, which is open while there are listeners. */
export type EventFeed = {
  /**
   * Adds a listener for an owner's events. Returns a time: the listener gets every event committed after it, and may get
   * earlier ones, which a read from the database at this time contains. Throws when MongoDB is unavailable. The listener
   * must leave in any case.
   */
  join(owner: Owner, listener: FeedListener): Promise<ClusterTime>;
  leave(owner: Owner, listener: FeedListener): void;
};

/** What a change stream reports of an inserted event. */
type Insertion = { fullDocument: StreamedEvent & Owner; clusterTime: ClusterTime };

/** MongoDB reports changes once a majority has stored them, in the order of their commits. */
const newEvents = [
  { $match: { operationType: 'insert', 'fullDocument.subjectId': { $not: new RegExp(`^${pingPrefix}`) } } },
  {
    $project: {
      clusterTime: 1,
      fullDocument: { _id: 1, organizationId: 1, mode: 1, kind: 1, subjectId: 1, body: 1, at: 1 },
    },
  },
];

const retryMs = 1_000;

export function createEventFeed(log: Log): EventFeed {
  const listeners = new Map<string, Set<FeedListener>>();
  let reading: Reading | undefined;

  function push({ fullDocument: { organizationId, mode, ...event }, clusterTime }: Insertion): void {
    const ofOwner = listeners.get(keyOf({ organizationId, mode })) ?? [];
    for (const listener of ofOwner) listener.push([{ ...event, clusterTime }]);
  }
  /** Ends all listeners, so that their clients resume from the database. */
  function lose(error: unknown): void {
    log.error({ err: error }, 'new events no longer received, streams ended');
    reading = undefined;
    for (const ofOwner of listeners.values()) for (const listener of ofOwner) listener.end();
    listeners.clear();
  }

  return {
    async join(owner, listener) {
      const key = keyOf(owner);
      listeners.set(key, (listeners.get(key) ?? new Set()).add(listener));
      reading ??= startReading({ push, lose, log });
      await reading.hasStarted;
      return await readClusterTime(Event);
    },
    leave(owner, listener) {
      const ofOwner = listeners.get(keyOf(owner));
      ofOwner?.delete(listener);
      if (ofOwner?.size === 0) listeners.delete(keyOf(owner));
      if (listeners.size > 0) return;
      reading?.stop();
      reading = undefined;
    },
  };
}

type Reading = { hasStarted: Promise<void>; stop(): void };

/** Reads the change stream until `stop`, or until it cannot be resumed, which calls `lose` once. */
function startReading(to: { push(insertion: Insertion): void; lose(error: unknown): void; log: Log }): Reading {
  let isStopped = false;
  let stop = async () => {};

  async function read(startAtOperationTime: ClusterTime): Promise<void> {
    let position: { startAtOperationTime?: ClusterTime; resumeAfter?: unknown } = { startAtOperationTime };
    while (!isStopped) {
      const changes = Event.collection.watch<EventRecord, Insertion>(newEvents, position);
      stop = () => changes.close();
      try {
        // The driver resumes once by itself, and gives up when it finds no primary for 5 s.
        for await (const insertion of changes) to.push(insertion);
      } catch (error) {
        if (isStopped) return;
        if (!isMongoUnavailable(error)) return to.lose(error);
        to.log.warn({ err: error }, 'new events interrupted, resuming');
        if (changes.resumeToken) position = { resumeAfter: changes.resumeToken };
        await sleep(retryMs);
      }
    }
  }
  const started = readClusterTime(Event);
  started.then(read).catch((error: unknown) => isStopped || to.lose(error));

  return {
    hasStarted: started.then(() => {}),
    stop() {
      isStopped = true;
      stop().catch(() => {});
    },
  };
}

const keyOf = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;
