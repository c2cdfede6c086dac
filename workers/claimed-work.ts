import { type Clock, plusMs } from '../common/clock.ts';
import {
  type Claim,
  claimDue,
  type DueRow,
  type DueSlot,
  releaseClaim,
  renewClaim,
  retryAfterThrow,
  returnClaim,
} from '../common/platform/due-work.ts';
import type { Log } from '../common/platform/log.ts';
import { type Ending, type Handle, logFailure, type WorkerDefinition } from './worker.ts';

/** What a worker does with a piece of work that it holds. `signal` ends it also when the lease was lost. */
export type Run<Row extends DueRow> = (claim: Claim<Row>, context: Ending & { log: Log }) => Promise<void>;

export type ClaimedWork<Row extends DueRow> = {
  slot: DueSlot;
  /** Pieces of work that one process does at once. */
  concurrency: number;
  /** When work that threw is tried again, by attempt; without it 1 s, doubling to 60 s. */
  retryDelaysMs?: readonly number[];
  /**
   * Fields by which the lines about a piece of work are found in the log, one of which then tells that it is done.
   * Without them lines have only its id, and tell of failures alone.
   */
  traceOf?: (row: Row) => object;
  run: Run<Row>;
};

/**
 * A worker that does one piece of due work for each hint, under a lease that is renewed while it runs. Work that throws
 * is given back and tried again within seconds, by the scanner.
 */
export function claimedWork<Row extends DueRow>(
  work: ClaimedWork<Row>,
  options: { clock: Clock; leaseMs: number },
): WorkerDefinition {
  const handle: Handle = async (id, ending) => {
    const { clock, leaseMs } = options;
    const claim = await claimDue<Row>(work.slot, id, clock.now(), leaseMs);
    if (claim) await runClaimed(claim, work, { clock, ...ending });
  };
  return { queue: work.slot.queue, concurrency: work.concurrency, handle };
}

/** Does a piece of work that is held already. */
export async function runClaimed<Row extends DueRow>(
  claim: Claim<Row>,
  { run, retryDelaysMs, traceOf }: Pick<ClaimedWork<Row>, 'run' | 'retryDelaysMs' | 'traceOf'>,
  { clock, log, closing, signal: stopping }: Ending & { clock: Clock; log: Log },
): Promise<void> {
  const about = { ...(traceOf?.(claim.row) ?? { id: claim.id }), attempt: claim.attempt };
  const startedAt = performance.now();
  const lost = new AbortController();
  const signal = AbortSignal.any([lost.signal, stopping]);
  const renewal = setInterval(() => {
    renewClaim(claim, clock.now()).then(
      (isOurs) => isOurs || lost.abort(),
      // The lease is good for two more renewals; without them somebody else takes over, and finishing is refused.
      (error: unknown) => log.warn({ err: error, ...about }, 'lease not renewed'),
    );
  }, claim.leaseMs / 3);
  try {
    await run(claim, { closing, signal, log });
    if (signal.aborted) await returnClaim(claim, clock.now());
    else if (traceOf) log.info({ ...about, durationMs: Math.round(performance.now() - startedAt) }, 'work done');
  } catch (error) {
    const now = clock.now();
    // Told to stop: nothing was wrong with the work, so this attempt does not count.
    if (signal.aborted) return await returnClaim(claim, now);
    const delayMs = retryDelaysMs?.[claim.attempt - 1];
    await releaseClaim(claim, delayMs === undefined ? retryAfterThrow(claim.attempt, now) : plusMs(now, delayMs));
    logFailure(log, error, about);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
