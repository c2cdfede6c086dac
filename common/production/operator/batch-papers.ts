import type { PaperBatch, PaperItem } from '#common/documents/papers/paper-batch.ts';
import type { Papers } from '#common/documents/papers/papers.ts';
import { TypesettingUnavailableError } from '#common/documents/typesetting/typesetting-pool.ts';
import { AppError } from '#common/errors.ts';
import { countCopyPages } from '#common/mail-jobs/proof/item-copy.ts';
import { SemaphoreFullError } from '#common/platform/concurrency/fair-semaphore.ts';
import { countCopySheets } from '../batches/batch-key.ts';
import { readBatch } from '../batches/read-batch.ts';
import { readBatchJobs } from '../batches/read-batch-jobs.ts';
import { toPressBatch } from '../batches/to-press-batch.ts';

/** The papers that go with a batch, as PDFs. */
export type BatchPaper = 'job-ticket' | 'deposit-slip';

/**
 * Makes a paper of a batch with the items that have not failed. Throws NOT_FOUND for an open batch, whose items are not
 * complete, and when all items have failed; SERVICE_UNAVAILABLE when a retry may succeed.
 */
export async function makeBatchPaper(batchId: string, paper: BatchPaper, papers: Papers): Promise<Buffer> {
  const { batch, items } = await readPaper(batchId);
  try {
    return await (paper === 'job-ticket' ? papers.jobTicket(batch, items) : papers.depositSlip(batch, items));
  } catch (error) {
    const isBusy = error instanceof SemaphoreFullError || error instanceof TypesettingUnavailableError;
    throw isBusy ? new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 10, cause: error }) : error;
  }
}

async function readPaper(batchId: string): Promise<{ batch: PaperBatch; items: PaperItem[] }> {
  const record = await readBatch(batchId);
  const items: PaperItem[] = [];
  if (record.state !== 'open') {
    for await (const job of readBatchJobs(batchId)) {
      const { printFile } = job;
      if (!printFile) throw new Error(`The mail job ${job._id} is in a batch without a print file.`);
      const [pageCount, sheetCount] = [countCopyPages(printFile), countCopySheets(printFile)];
      for (const { itemId, status, tracking } of job.items) {
        if (status === 'failed') continue;
        const label = tracking && { trackingNumber: tracking.number };
        items.push({ sequence: items.length + 1, itemId, pageCount, sheetCount, sender: job.sender, ...label });
      }
    }
  }
  if (items.length === 0) throw new AppError('NOT_FOUND', { message: 'This batch has no papers.' });
  const sheetCount = items.reduce((sum, item) => sum + item.sheetCount, 0);
  return { batch: { ...toPressBatch(record), itemCount: items.length, sheetCount }, items };
}
