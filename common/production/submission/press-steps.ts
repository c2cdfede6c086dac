import { type Clock, plusMs } from '#common/clock.ts';
import { collectWork } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Claim } from '#common/platform/due-work/due-work.ts';
import type { Pauses } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { ProviderName } from '#common/services.ts';
import { Batch, type BatchRecord, type BatchState } from '../batches/batch.model.ts';
import { toPressBatch } from '../batches/to-press-batch.ts';
import { type BatchToPrint, type PressProvider, PressUnavailableError } from '../providers/press-provider.ts';
import { makeBatchCopies, PrintFileLostError } from './batch-copies.ts';
import { moveBatchOn } from './move-batch-on.ts';

export type PressDeps = {
  providers: Readonly<Record<ProviderName, PressProvider | null>>;
  store: ObjectStore;
  hints: Hints;
  clock: Clock;
  log: Log;
  pauses: Pauses;
};

/** What a step leaves of a batch: the fields to set while it is still in state `from`, and when it is due again, if ever. */
export type NextStep = {
  set?: Record<string, unknown>;
  from?: BatchState;
  nextAt?: Date | null;
  /** Called when all this is stored, and not when the lease was lost. */
  onStored?(): void;
};

/** A step of a batch. Returns null when it has changed the batch itself, or has lost the lease. */
export type PressStep = (claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal) => Promise<NextStep | null>;

/** Delays before work that threw is done again. A press that takes nothing now is asked again after the first one. */
export const pressRetryDelaysMs = [60_000, 120_000, 300_000] as const;
/** How often the results of a provider are read, and whether a pause has ended. */
export const pollMs = 5_000;

/**
 * Returns whether an operator has paused the handing over of batches. A pause of `dispatch` holds the queue in which letters
 * are collected, so that `press` still follows the batches that the press has.
 */
export async function isDispatchPaused({ pauses }: Pick<PressDeps, 'pauses'>): Promise<boolean> {
  return (await pauses.read()).of(collectWork.queue).isPaused;
}

/** Leaves a batch as it is, and asks again whether its handing over is still paused. */
export const whilePaused = ({ clock }: PressDeps): NextStep => ({ nextAt: plusMs(clock.now(), pollMs) });

/** `copyCount`: the copies that the provider got, null when it asked for none. */
type CountedBatch = BatchToPrint & { copyCount: number | null };

/** Returns what a provider gets of a batch. */
export function toPrint(batch: BatchRecord, { store: objects }: PressDeps, signal: AbortSignal): CountedBatch {
  const work: CountedBatch = { batch: toPressBatch(batch), copies, signal, copyCount: null };
  async function* copies() {
    work.copyCount = 0;
    for await (const copy of makeBatchCopies(batch._id, { store: objects, signal })) {
      work.copyCount += 1;
      yield copy;
    }
  }
  return work;
}

/** Stores a step durably, if the lease still holds and the batch is in state `from`. Returns the batch, or null. */
export async function storeStep(
  claim: Claim<BatchRecord>,
  from: BatchRecord['state'],
  change: Partial<BatchRecord>,
): Promise<BatchRecord | null> {
  return await rowsOf<BatchRecord>(Batch).findOneAndUpdate(
    { _id: claim.id, state: from, 'due.press.leaseToken': claim.token },
    { $set: change },
    { returnDocument: 'after', writeConcern: { w: 'majority', journal: true } },
  );
}

/** Returns what the operator reads about an error: the press takes nothing now, or a print file is lost. Null: any other. */
export function problemOf(error: unknown): string | null {
  return error instanceof PressUnavailableError || error instanceof PrintFileLostError ? error.message : null;
}

/** Leaves a batch in its state, with the reason why it waits, and tries again later. */
export function retryLater({ id }: Claim<BatchRecord>, { clock, log }: PressDeps, problem: string): NextStep {
  log.warn({ batchId: id, problem }, 'batch waits, press not available');
  const now = clock.now();
  return { set: { problem, updatedAt: now }, nextAt: plusMs(now, pressRetryDelaysMs[0]) };
}

/** Stops all work on a batch until an operator says whether it was printed. */
export function needOperator({ id, row }: Claim<BatchRecord>, { clock, log }: PressDeps, problem: string): NextStep {
  return {
    set: { state: 'needs_operator', problem, updatedAt: clock.now() },
    from: row.state,
    onStored: () => log.error({ batchId: id, problem }, 'batch needs an operator'),
  };
}

/** Ends a batch that is printed. A provider that hands it in itself does so at the cutoff. */
export async function moveOnIfPrinted(
  { _id, provider, cutoffAt }: BatchRecord,
  { providers, clock }: PressDeps,
): Promise<BatchState | null> {
  return await moveBatchOn(_id, { at: clock.now(), postsAt: providers[provider]?.postsAtCutoff ? cutoffAt : null });
}

/** Says why a batch waits whose provider is not configured in this process. */
export const noProvider = ({ provider }: BatchRecord) =>
  `No provider ${provider} is configured. Set its variables, or move PRINT_PROVIDERS.`;
