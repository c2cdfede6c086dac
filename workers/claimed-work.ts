import { type Clock, plusMs } from '#common/clock.ts';
import { createBatcher } from '#common/platform/concurrency/create-batcher.ts';
import { claimRows } from '#common/platform/due-work/claim-due-in-bulk.ts';
import {
  type Claim,
  type DueRow,
  type DueSlot,
  hintTimeoutMs,
  readDue,
  readWaitMs,
  releaseClaim,
  renewClaim,
  retryAfterThrow,
  returnClaim,
} from '#common/platform/due-work/due-work.ts';
import type { Pauses } from '#common/platform/due-work/pauses.ts';
import { createOwnerReader } from '#common/platform/due-work/read-due.ts';
import { whileLeased } from '#common/platform/mongo/lease.model.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { inSpan } from '#common/platform/spans/tracing.ts';
import { withFairSlots } from './with-fair-slots.ts';
import { type Handle, logFailure, type StopSignals, type WorkerDefinition } from './worker.ts';

/** Processes claimed work. `signal` also fires when the lease was lost. */
export type Run<Row extends DueRow> = (claim: Claim<Row>, context: StopSignals & { log: Log }) => Promise<void>;

export type ClaimedWork<Row extends DueRow> = {
  slot: DueSlot;
  /** The most claims that one process works on at once. */
  concurrency: number;
  /** Of these, the most of one organization. Default: all. */
  perOrganization?: number;
  /** Delays before retrying work that threw, by the number of earlier failures. Default: 1 s, doubling to 60 s. */
  retryDelaysMs?: readonly number[];
  /** Returns fields for the log lines about this work. Without it, lines have only the id, and success is not logged. */
  logFieldsOf?: (row: Row) => object;
  /** The level at which success is logged: `debug` for work that often finds nothing to do. Default: `info`. */
  doneLevel?: 'info' | 'debug';
  run: Run<Row>;
};

/** What each worker needs to claim. `leaseMs`: how long a dead worker's claims last. */
export type ClaimDeps = { clock: Clock; leaseMs: number; hints: Hints; pauses: Pauses };

/** Most rows per claiming command. */
const maxClaims = 100;

/**
 * Creates a worker that claims one piece of due work per hint, under a lease that is renewed while it runs. Work that
 * throws is released, and retried through the scanner. A hint that arrives too early is sent again. Hints that arrive
 * while rows are being claimed share the next command. A hint of paused work has no effect: the scanner sends another.
 */
export function claimedWork<Row extends DueRow>(work: ClaimedWork<Row>, options: ClaimDeps): WorkerDefinition {
  const { slot, concurrency, perOrganization } = work;
  const { clock, leaseMs, hints, pauses } = options;
  const claimRow = createBatcher<string, Claim<Row> | null>({
    maxItems: maxClaims,
    async run(ids) {
      const pause = (await pauses.read()).of(slot.queue);
      return await claimRows<Row>(slot, ids, { now: clock.now(), ttlMs: leaseMs, pause });
    },
  });
  const handle: Handle = async (id, ending) => {
    const claim = await claimRow(id);
    if (claim) return await traced(claim, clock.now(), () => runClaimed(claim, work, { clock, ...ending }));
    // This clock may be behind that of the process that sent the hint. For work due later than a hint's lifetime, the
    // scanner sends another hint.
    const waitMs = await readWaitMs(slot, id, clock.now());
    if (waitMs !== null && waitMs <= hintTimeoutMs) hints.notify(slot.queue, [id], waitMs);
  };
  const worker = { queue: slot.queue, concurrency, handle };
  if (perOrganization === undefined) return worker;
  return withFairSlots(worker, { perOrganization, ownerOf: createOwnerReader(slot), hints });
}

/** Runs claimed work in a span: of the trace of its row, else of a trace of its own. */
async function traced(claim: Claim, now: Date, run: () => Promise<void>): Promise<void> {
  const { slot, id, failures, row } = claim;
  const attributes = {
    'messaging.destination.name': slot.queue,
    'bluejay.row_id': id,
    'bluejay.failures': failures,
    'bluejay.waited_ms': now.getTime() - readDue(row, slot.path).at.getTime(),
  };
  await inSpan(`process ${slot.queue}`, { kind: 'consumer', parent: row.traceparent, attributes }, run);
}

/** Runs work that is already claimed, and releases the claim if it throws or is stopped. */
async function runClaimed<Row extends DueRow>(
  claim: Claim<Row>,
  {
    run,
    retryDelaysMs,
    logFieldsOf,
    doneLevel = 'info',
  }: Pick<ClaimedWork<Row>, 'run' | 'retryDelaysMs' | 'logFieldsOf' | 'doneLevel'>,
  { clock, log, closing, signal: stopping }: StopSignals & { clock: Clock; log: Log },
): Promise<void> {
  const { failures, unfinished } = claim;
  const about = { ...(logFieldsOf?.(claim.row) ?? { id: claim.id }), failures, unfinished };
  const startedAt = performance.now();
  await whileLeased({ renew: () => renewClaim(claim), leaseMs: claim.leaseMs, log, about }, async (lost) => {
    const signal = AbortSignal.any([lost, stopping]);
    try {
      await run(claim, { closing, signal, log });
      if (signal.aborted) await returnClaim(claim, clock.now());
      else if (logFieldsOf)
        log[doneLevel]({ ...about, durationMs: Math.round(performance.now() - startedAt) }, 'work done');
    } catch (error) {
      const now = clock.now();
      // Stopped: not a failure of the work.
      if (signal.aborted) return await returnClaim(claim, now);
      const delayMs = retryDelaysMs?.[failures];
      await releaseClaim(claim, delayMs === undefined ? retryAfterThrow(failures, now) : plusMs(now, delayMs));
      logFailure(log, error, about);
      throw error;
    }
  });
}
