import { Worker } from 'bullmq';
import { type Clock, plusMs } from '../common/clock.ts';
import {
  type Claim,
  claimDue,
  type DueRow,
  type DueSlot,
  leaseRenewMs,
  releaseClaim,
  renewClaim,
  retryAfterThrow,
  returnClaim,
} from '../common/platform/due-work.ts';
import type { Log } from '../common/platform/log.ts';
import { queueTable } from '../common/platform/queues.ts';
import type { Redis } from '../common/platform/redis.ts';

export type WorkerOptions = { redis: Redis; prefix: string; clock: Clock; log: Log };

/** What a worker does with a piece of work that it holds. `signal` ends it: the lease was lost, or the process stops. */
export type Run<Row extends DueRow> = (claim: Claim<Row>, context: { signal: AbortSignal; log: Log }) => Promise<void>;

export type WorkerDefinition<Row extends DueRow> = {
  slot: DueSlot;
  /** Pieces of work that one process does at once. */
  concurrency: number;
  /** When work that threw is tried again, by attempt; without it 1 s, doubling to 60 s. */
  retryDelaysMs?: readonly number[];
  run: Run<Row>;
};

export type RunningWorker = { close(): Promise<void> };

/** In-flight work of a stopping process gets this long; then it is told to stop, and its lease goes to another one. */
const closeTimeoutMs = 20_000;

/**
 * Listens to a queue's hints. Each is only an occasion to look: the work is claimed in MongoDB first, so a hint that
 * comes twice, or late, does nothing. Work that throws is given back and tried again within seconds, by the scanner.
 */
export function startWorker<Row extends DueRow>(
  { slot, concurrency, retryDelaysMs, run }: WorkerDefinition<Row>,
  { redis, prefix, clock, log: parentLog }: WorkerOptions,
): RunningWorker {
  const log = parentLog.child({ worker: slot.queue });
  const stopping = new AbortController();
  const { payload } = queueTable[slot.queue];
  const inFlight = new Set<Promise<void>>();

  const worker = new Worker(
    slot.queue,
    async ({ data }) => {
      const { id } = payload.parse(data);
      const claim = await claimDue<Row>(slot, id, clock.now());
      if (!claim) return;
      const work = runClaimed(claim, run, { clock, log, stopping: stopping.signal, retryDelaysMs });
      inFlight.add(work);
      await work.finally(() => inFlight.delete(work));
    },
    {
      connection: redis,
      prefix,
      concurrency,
      // What a process that died was doing comes back by its lease; these only tidy up the queue.
      lockDuration: 30_000,
      stalledInterval: 15_000,
      maxStalledCount: 3,
    },
  );
  // Without a listener the first lost connection would end the process.
  worker.on('error', (error) => log.debug({ cause: error.message }, 'queue error'));
  worker.on('failed', (_job, error) => log.error({ err: error }, 'work failed'));

  return {
    async close() {
      const closed = worker.close().catch((error: unknown) => log.warn({ err: error }, 'queue not closed in order'));
      const tellToStop = setTimeout(() => stopping.abort(), closeTimeoutMs);
      // The queue's own end waits for Redis, if need be for ever; what matters is that the work is done.
      await (redis.status === 'ready' ? closed : Promise.allSettled(inFlight));
      clearTimeout(tellToStop);
    },
  };
}

type RunOptions = {
  clock: Clock;
  log: Log;
  stopping: AbortSignal;
  retryDelaysMs: readonly number[] | undefined;
};

async function runClaimed<Row extends DueRow>(
  claim: Claim<Row>,
  run: Run<Row>,
  { clock, log, stopping, retryDelaysMs }: RunOptions,
): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([lost.signal, stopping]);
  const renewal = setInterval(() => {
    renewClaim(claim, clock.now()).then(
      (isOurs) => isOurs || lost.abort(),
      // The lease is good for two more renewals; without them somebody else takes over, and finishing is refused.
      (error: unknown) => log.warn({ err: error, id: claim.id }, 'lease not renewed'),
    );
  }, leaseRenewMs);
  try {
    await run(claim, { signal, log });
    if (signal.aborted) await returnClaim(claim, clock.now());
  } catch (error) {
    const now = clock.now();
    // Told to stop: nothing was wrong with the work, so this attempt does not count.
    if (signal.aborted) return await returnClaim(claim, now);
    const delayMs = retryDelaysMs?.[claim.attempt - 1];
    await releaseClaim(claim, delayMs === undefined ? retryAfterThrow(claim.attempt, now) : plusMs(now, delayMs));
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
