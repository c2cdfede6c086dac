import { createCachedReads } from '../concurrency/cached-reads.ts';
import { rowsOf } from '../mongo/mongo.ts';
import type { QueueName } from '../redis/queues.ts';
import { Pause, type PauseRecord, pausableWork, pausableWorks } from './pause.model.ts';

/** A pause or its end reaches every worker within this time. Work that has begun is finished. */
export const pauseDelayMs = 3_000;

/** Most pauses of single organizations: queries name them. */
export const maxPauses = 200;
/** Beside them, those of all organizations are read. */
const maxCurrent = maxPauses + pausableWorks.length;
/** Of those that have ended, the last ones are read. */
const maxEnded = 2 * maxPauses;

/** What is paused of a queue. */
export type QueuePause = { isPaused: boolean; organizationIds: readonly string[] };
export const notPaused: QueuePause = { isPaused: false, organizationIds: [] };

/** The pauses at one moment. */
export type PauseView = {
  /** The pauses that last. */
  readonly current: readonly PauseRecord[];
  of(queue: QueueName): QueuePause;
  /** Whether the work of an organization in a queue is paused; with null, that of all. */
  covers(queue: QueueName, organizationId: string | null): boolean;
  /**
   * Returns how long the work of an organization in a queue was paused after `from`, without a pause that lasts; with null,
   * that of all.
   */
  endedMsSince(queue: QueueName, organizationId: string | null, from: Date): number;
  /** Returns when the last pause of a queue ended, of whichever organization; null: none has lately. */
  lastEndedAt(queue: QueueName): Date | null;
};

export type Pauses = {
  /** Returns the pauses as they were at most 3 s ago. Asks the database at most once in that time. */
  read(): Promise<PauseView>;
  /** Returns the pauses as this process last read them. */
  latest(): PauseView;
};

/** What a process knows before it has read anything. */
export const noPauses: PauseView = toView([]);

/** Creates what a process knows of the pauses. Without work it asks for nothing. */
export function createPauses(maxAgeMs = pauseDelayMs): Pauses {
  const reads = createCachedReads<PauseView>({ maxAgeMs });
  let view = noPauses;
  const refresh = async () => {
    view = await readPauses();
    return view;
  };
  return { read: () => reads.get('', refresh), latest: () => view };
}

/** Reads the pauses now. */
export async function readPauses(): Promise<PauseView> {
  const pauses = rowsOf<PauseRecord>(Pause);
  const current = await pauses.find({ endedAt: { $exists: false } }, { limit: maxCurrent }).toArray();
  // Read later, so that a pause that ends meanwhile is in both instead of in neither.
  const ended = await pauses
    .find({ endedAt: { $gt: new Date(0) } }, { sort: { endedAt: -1 }, limit: maxEnded })
    .toArray();
  return toView([...current, ...ended]);
}

/** Returns a filter for rows of organizations whose work is not paused, beside one that may name an organization. */
export const notOfPaused = ({ organizationIds }: QueuePause): object =>
  organizationIds.length === 0 ? {} : { $nor: [{ organizationId: { $in: [...organizationIds] } }] };

function toView(rows: readonly PauseRecord[]): PauseView {
  const current = rows.filter(({ endedAt }) => endedAt === undefined);
  const byQueue = new Map<QueueName, QueuePause>();
  for (const { work, organizationId } of current) {
    for (const queue of pausableWork[work]) {
      const { isPaused, organizationIds } = byQueue.get(queue) ?? notPaused;
      const isOfAll = organizationId === null;
      byQueue.set(queue, {
        isPaused: isPaused || isOfAll,
        organizationIds: isOfAll ? organizationIds : [...organizationIds, organizationId],
      });
    }
  }
  const of = (queue: QueueName) => byQueue.get(queue) ?? notPaused;
  const concerns = ({ work }: PauseRecord, queue: QueueName) =>
    (pausableWork[work] as readonly QueueName[]).includes(queue);
  return {
    current,
    of,
    covers(queue, organizationId) {
      const { isPaused, organizationIds } = of(queue);
      return isPaused || (organizationId !== null && organizationIds.includes(organizationId));
    },
    endedMsSince(queue, organizationId, from) {
      const ended = rows.filter((row) => {
        return concerns(row, queue) && (row.organizationId === null || row.organizationId === organizationId);
      });
      return unionMs(ended, from.getTime());
    },
    lastEndedAt(queue) {
      const endsMs = rows.flatMap((row) => (row.endedAt && concerns(row, queue) ? [row.endedAt.getTime()] : []));
      return endsMs.length === 0 ? null : new Date(Math.max(...endsMs));
    },
  };
}

/** Returns the length of the ended pauses after `fromMs`, where they overlap only once. */
function unionMs(pauses: readonly PauseRecord[], fromMs: number): number {
  let coveredMs = fromMs;
  let sumMs = 0;
  for (const { since, endedAt } of pauses.toSorted((a, b) => a.since.getTime() - b.since.getTime())) {
    if (endedAt === undefined || endedAt.getTime() <= coveredMs) continue;
    sumMs += endedAt.getTime() - Math.max(coveredMs, since.getTime());
    coveredMs = endedAt.getTime();
  }
  return sumMs;
}
