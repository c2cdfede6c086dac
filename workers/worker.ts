import { Worker } from 'bullmq';
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/platform/log.ts';
import { type QueueName, queueTable } from '../common/platform/queues.ts';
import type { Redis } from '../common/platform/redis.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export type WorkerOptions = {
  redis: Redis;
  prefix: string;
  /** How long a worker that died keeps what it had claimed. */
  leaseMs: number;
  clock: Clock;
  log: Log;
  workerMetrics: WorkerMetrics;
};

/** How work learns of the end of its process. */
export type Ending = {
  /** The process begins to stop: what is begun may be finished, what is not may be left to others. */
  closing: AbortSignal;
  /** Its time is up: end now, give back what is not done. */
  signal: AbortSignal;
};

/** What a worker does about one hint. */
export type Handle = (id: string, context: Ending & { log: Log }) => Promise<void>;

export type WorkerDefinition = {
  queue: QueueName;
  /** Hints that one process looks into at once. */
  concurrency: number;
  /** What it does at once, beside the hints, of what its own process offers it; none when absent. */
  offers?: number;
  handle: Handle;
};

export type RunningWorker = {
  readonly queue: QueueName;
  /**
   * Takes what this process has just found to do, without a message; false when it has no room for it. `work` is done
   * about it instead of what is done about a message.
   */
  offer(id: string, work?: Handle): boolean;
  /** Whether it could take another hint. */
  hasRoom(): boolean;
  /** When it last took a hint, by `performance.now()`; its start before the first. */
  lastPickMs(): number;
  /** Stops listening and listens anew, on fresh connections; what it is doing goes on. */
  restart(): void;
  close(): Promise<void>;
};

/** In-flight work of a stopping process gets this long; then it is told to stop, and its lease goes to another one. */
const closeTimeoutMs = 20_000;

/**
 * Listens to a queue's hints. Each is only an occasion to look: the work is claimed in MongoDB first, so a hint that
 * comes twice, or late, does nothing.
 */
export function startWorker(
  { queue, concurrency, offers = 0, handle }: WorkerDefinition,
  options: WorkerOptions,
): RunningWorker {
  const { redis, workerMetrics } = options;
  const log = options.log.child({ worker: queue });
  const closing = new AbortController();
  const stopping = new AbortController();
  const { payload } = queueTable[queue];
  const inFlight = new Set<Promise<void>>();
  let pickedMs = performance.now();
  let offered = 0;

  const listen = () =>
    openWorker({ ...options, queue, concurrency, log }, async (data) => {
      pickedMs = performance.now();
      workerMetrics.picked(queue);
      await take(payload.parse(data).id);
    });
  async function take(id: string, work: Handle = handle): Promise<void> {
    const working = work(id, { closing: closing.signal, signal: stopping.signal, log });
    inFlight.add(working);
    await working.finally(() => inFlight.delete(working));
  }
  const closeWorker = (old: Worker) =>
    old.close().catch((error: unknown) => log.warn({ err: error }, 'queue not closed in order'));
  let worker = listen();

  return {
    queue,
    offer(id, work) {
      if (offered >= offers || closing.signal.aborted) return false;
      offered += 1;
      take(id, work)
        .catch((error: unknown) => logFailure(log, error))
        .finally(() => {
          offered -= 1;
        });
      return true;
    },
    hasRoom: () => inFlight.size < concurrency,
    lastPickMs: () => pickedMs,
    restart() {
      void closeWorker(worker);
      pickedMs = performance.now();
      worker = listen();
    },
    async close() {
      closing.abort();
      const closed = closeWorker(worker);
      const tellToStop = setTimeout(() => stopping.abort(), closeTimeoutMs);
      // The queue's own end waits for Redis, if need be for ever; what matters is that the work is done.
      await Promise.all([redis.status === 'ready' && closed, Promise.allSettled(inFlight)]);
      clearTimeout(tellToStop);
    },
  };
}

const told = new WeakSet<object>();

/** Writes one line about a failure: whoever knows what the work was about says so first, and nobody does again. */
export function logFailure(log: Log, error: unknown, about: object = {}): void {
  if (typeof error === 'object' && error !== null) {
    if (told.has(error)) return;
    told.add(error);
  }
  log.error({ err: error, ...about }, 'work failed');
}

type Listening = WorkerOptions & Pick<WorkerDefinition, 'queue' | 'concurrency'>;

function openWorker(
  { queue, concurrency, redis, prefix, log, workerMetrics }: Listening,
  take: (data: unknown) => Promise<void>,
): Worker {
  const worker = new Worker(queue, async ({ data }) => await take(data), {
    connection: redis,
    prefix,
    concurrency,
    // What a process that died was doing comes back by its lease; these only tidy up the queue.
    lockDuration: 30_000,
    stalledInterval: 15_000,
    maxStalledCount: 3,
  });
  // Without a listener the first lost connection would end the process.
  worker.on('error', (error) => log.debug({ cause: error.message }, 'queue error'));
  worker.on('failed', (_job, error) => logFailure(log, error));
  worker.on('stalled', () => workerMetrics.stalled(queue));
  return worker;
}
