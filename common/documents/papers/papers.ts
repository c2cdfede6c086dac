import type { Language } from '#common/languages.ts';
import type { Log } from '#common/platform/process/log.ts';
import { startTypesetter } from '../typesetting/start-typesetter.ts';
import { createTypesettingPool } from '../typesetting/typesetting-pool.ts';
import { type DepositBatch, type DepositItem, packDepositSlip } from './pack-deposit-slip.ts';
import { packJobTicket } from './pack-job-ticket.ts';
import type { PaperBatch, PaperItem } from './paper-batch.ts';

/**
 * Makes the papers of batches as PDFs. The same input gives the same bytes. Throws `SemaphoreFullError` and
 * `TypesettingUnavailableError` when a retry may succeed, and the signal's reason.
 */
export type Papers = {
  /** Makes the paper that goes with a batch to the printer. Throws an Error when the items do not add up to the batch. */
  jobTicket(batch: PaperBatch, items: readonly PaperItem[], signal?: AbortSignal): Promise<Buffer>;
  /** Makes the paper for the counter of the post office. Throws an Error when there are no items. */
  depositSlip(batch: DepositBatch, items: readonly DepositItem[], signal?: AbortSignal): Promise<Buffer>;
  close(): void;
};

/** A job ticket of 20,000 items takes about 8 s of CPU time, more than a letter may. */
const fileLimits = { cpuMs: 60_000, wallMs: 120_000 };
/**
 * A process has 540 MB after a ticket of 20,000 items, and keeps most of it. One that exceeds 1 GiB ends, and the paper is
 * made by the next one.
 */
const papersPerChild = 20;
const startChild = (log: Log) => startTypesetter(log, { fileLimits });

/**
 * Creates the papers of a process. A process of its own typesets them, never one that typesets letters of customers. It
 * is started with the first paper.
 */
export function createPapers({ language, log }: { language: Language; log: Log }): Papers {
  const pool = createTypesettingPool({
    ...{ sharing: 'everyone', maxChildren: 1, lettersPerChild: papersPerChild, log, startChild },
  });
  const neverAborted = new AbortController().signal;
  return {
    jobTicket: async (batch, items, signal = neverAborted) =>
      await pool.typesetPaper('job-ticket', packJobTicket(batch, items, language), signal),
    depositSlip: async (batch, items, signal = neverAborted) =>
      await pool.typesetPaper('deposit-slip', packDepositSlip(batch, items, language), signal),
    close: pool.close,
  };
}
