import type { ItemCopy } from '#common/mail-jobs/proof/item-copy.ts';
import type { PressBatch, PressItem } from '../press-batch.ts';

/** The copies of a batch, in the order of printing. */
export type PressCopies = AsyncIterable<{ item: PressItem; copy: ItemCopy }>;

/** What became of an item at the press. `reason`: one line, shown to the sender of the letter. */
export type PressResult = { itemId: string; result: 'printed' } | { itemId: string; result: 'failed'; reason: string };

/** Whether a provider has a batch: `unknown` when only a person can tell. */
export type Whereabouts = 'taken' | 'not_taken' | 'unknown';

export type PressWork = {
  batch: PressBatch;
  /** The items that are still to be printed. */
  copies: () => PressCopies;
  signal: AbortSignal;
};

/**
 * A way to print batches. The order of the calls makes sure that nothing is printed twice: `prepare` may run any number
 * of times and has no effect that reaches the press; `handOver` runs after the batch was stored as `submitting`; and
 * after a crash `locate` says what is known.
 */
export type PressProvider = {
  /** Makes everything ready that `handOver` needs. */
  prepare(work: PressWork): Promise<void>;
  /** Hands the batch over. Throws `NotTakenError` when it is certain that the press has nothing of it. */
  handOver(work: PressWork): Promise<void>;
  /** Looks for a batch whose handing over did not end. */
  locate(batch: PressBatch): Promise<Whereabouts>;
  /**
   * Returns what the press has reported since the last look, at least once: the same result may come again after a
   * crash. Absent: an operator reports.
   */
  readResults?(work: PressWork): Promise<ReportedResults>;
  /** The provider hands the batch in at its cutoff. Absent: an operator says when it was handed in. */
  postsAtCutoff?: true;
};

/** `settle` is called when the results are stored. */
export type ReportedResults = { results: readonly PressResult[]; settle(): Promise<void> };

/** The press has nothing of the batch. It is handed over again later. The message tells the operator what to do. */
export class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
}
