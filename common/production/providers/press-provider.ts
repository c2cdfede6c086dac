import type { ItemCopy } from '#common/mail-jobs/proof/item-copy.ts';
import type { PressBatch, PressItem } from '../press-batch.ts';

/** A copy of a batch. `release` removes its temporary file; the end of the copies does so too. */
export type PressCopy = { item: PressItem; copy: ItemCopy; release: () => void };
/** The copies of a batch, in the order of printing. */
export type PressCopies = AsyncIterable<PressCopy>;

/** Result of an item at the press. `reason`: one line, shown to the sender of the letter. */
export type PressResult = { itemId: string; result: 'printed' } | { itemId: string; result: 'failed'; reason: string };

/** Whether a provider has a batch. `not_taken`: it lacks what is left of the batch. `unknown`: only a person can tell. */
export type Whereabouts = 'taken' | 'not_taken' | 'unknown';

export type BatchToPrint = {
  batch: PressBatch;
  /** The items that are still to be printed. */
  copies: () => PressCopies;
  signal: AbortSignal;
};

/**
 * Hands a prepared batch over. Throws `PressUnavailableError` when the press takes nothing more now, and what it has is recorded.
 * After any other error `locate` finds out what happened. `discard` is called instead when the batch must not be handed
 * over: it removes what was made ready.
 */
export type HandOver = (() => Promise<void>) & { discard?: () => Promise<void> };

/**
 * A way to print batches. The order of the calls makes sure that nothing is printed twice: `prepare` may run any number
 * of times and has no effect that reaches the press; what it returns runs after the batch was stored as `submitting`; and
 * after a crash `locate` says what is known.
 */
export type PressProvider = {
  /** Makes everything ready. Throws `PressUnavailableError` when the press cannot take the batch now. */
  prepare(work: BatchToPrint): Promise<HandOver>;
  /** Looks for a batch whose handing over did not end. `not_taken`: what is left may be handed over. */
  locate(batch: PressBatch): Promise<Whereabouts>;
  /**
   * Returns what the press has reported since the last look, at least once: the same result may come again after a
   * crash. Absent: an operator reports.
   */
  readResults?(work: BatchToPrint): Promise<ReportedResults>;
  /** An operator prints the copies, merged into a few files. */
  needsPrintParts?: true;
  /** The provider hands the batch in at its cutoff. Absent: an operator says when it was handed in. */
  postsAtCutoff?: true;
};

/** What a provider reports. */
export type ReportedResults = {
  results: readonly PressResult[];
  /** Is called when the results are stored. */
  settle(): Promise<void>;
  /** Why the batch cannot go on without an operator: a sentence for them. */
  problem?: string;
};

/**
 * The press takes nothing now, or cannot be asked. It is tried again later. The message tells the operator what to do.
 */
export class PressUnavailableError extends Error {
  override readonly name = 'PressUnavailableError';
}
