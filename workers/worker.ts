import { Worker } from 'bullmq';
import type { Clock } from '#common/clock.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { Log } from '#common/platform/process/log.ts';
import { HintPayload, type QueueName } from '#common/platform/redis/queues.ts';
import type { Redis } from '#common/platform/redis/redis.ts';
import type { WorkerMetrics } from './process/worker-metrics.ts';

export type WorkerOptions = {
  redis: Redis;
  prefix: string;
  /** How long a dead worker's claims last. */
  leaseMs: number;
  clock: Clock;
  log: Log;
  workerMetrics: WorkerMetrics;
};

/** Signals for work in a process that stops. */
export type StopSignals = {
  /** The process starts to stop: finish running work, start nothing new. */
  closing: AbortSignal;
  /** The time is up: stop now, and release unfinished work. */
  signal: AbortSignal;
};

/** Processes one hint. */
export type Handle = (id: string, context: StopSignals & { log: Log }) => Promise<void>;

export type WorkerDefinition = {
  queue: QueueName;
  /** The most hints that one process handles at once. */
  concurrency: number;
  handle: Handle;
};

export type RunningWorker = {
  readonly queue: QueueName;
  /** Returns whether a slot is free. */
  hasRoom(): boolean;
  /** When it last picked up a hint, or started, by `performance.now()`. */
  lastPickMs(): number;
  /** Reopens the queue on new connections. Running work continues. */
  restart(): void;
  close(): Promise<void>;
};

/** Running work of a stopping process gets this long. Then it is aborted, and another process can claim it. */
const closeTimeoutMs = 20_000;

/** Listens for hints of a queue. The work itself is claimed in MongoDB, so duplicate and late hints are harmless. */
export function startWorker({ queue, concurrency, handle }: WorkerDefinition, options: WorkerOptions): RunningWorker {
  const { redis, workerMetrics } = options;
  const log = options.log.child({ worker: queue });
  const closing = new AbortController();
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  let pickedMs = performance.now();

  const listen = () =>
    openWorker({ ...options, queue, concurrency, log }, async (data) => {
      pickedMs = performance.now();
      workerMetrics.picked(queue);
      await run(HintPayload.parse(data).id);
    });
  async function run(id: string): Promise<void> {
    const working = handle(id, { closing: closing.signal, signal: stopping.signal, log });
    inFlight.add(working);
    await working.finally(() => inFlight.delete(working));
  }
  const closeWorker = (old: Worker) =>
    old.close().catch((error: unknown) => log.warn({ err: error }, 'queue not closed'));
  let worker = listen();

  return {
    queue,
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
      // Without Redis, closing the queue could wait forever. Wait only for the running work.
      const ended = Promise.all([redis.status === 'ready' && closed, Promise.allSettled(inFlight)]);
      await withTimeout(ended, closeTimeoutMs, () => stopping.abort());
      await ended;
    },
  };
}

const logged = new WeakSet<object>();

/** Logs a failure once. The innermost caller, which knows the work, logs it first. Later calls for the error do nothing. */
export function logFailure(log: Log, error: unknown, about: object = {}): void {
  if (typeof error === 'object' && error !== null) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  log.error({ err: error, ...about }, 'work failed');
}

type Listening = WorkerOptions & Pick<WorkerDefinition, 'queue' | 'concurrency'>;

function openWorker(
  { queue, concurrency, redis, prefix, log, workerMetrics }: Listening,
  onMessage: (data: unknown) => Promise<void>,
): Worker {
  const worker = new Worker(queue, async ({ data }) => await onMessage(data), {
    connection: redis,
    prefix,
    concurrency,
    // The lease in MongoDB recovers the work of a dead process. These settings only clean up its message.
    lockDuration: 30_000,
    stalledInterval: 15_000,
    maxStalledCount: 3,
  });
  // Without a listener, the first lost connection would end the process.
  worker.on('error', (error) => log.debug({ cause: error.message }, 'queue error'));
  worker.on('failed', (_job, error) => {
    workerMetrics.failed(queue);
    logFailure(log, error);
  });
  worker.on('stalled', () => workerMetrics.stalled(queue));
  return worker;
}
