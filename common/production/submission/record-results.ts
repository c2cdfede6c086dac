import type { Hints } from '#common/platform/redis/queues.ts';
import type { BatchedJob } from '../batches/read-batch-jobs.ts';
import type { PressResult } from '../providers/press-provider.ts';
import { type BatchMove, moveBatchItems } from './move-batch-items.ts';

/**
 * Records the results of items at the press: printed items move on, failed ones are refunded. An item that was reported as
 * printed may fail after all, until it is posted. A result that is recorded already changes nothing, and neither does one
 * about an item of another batch. Returns how many moves were made.
 */
export async function recordResults(
  batchId: string,
  results: readonly PressResult[],
  context: { hints: Hints; at: Date },
): Promise<number> {
  const byItem = new Map(results.map((result) => [result.itemId, result]));
  return await moveBatchItems(batchId, (job) => movesOf(job, byItem), context);
}

function movesOf({ items }: BatchedJob, results: ReadonlyMap<string, PressResult>): BatchMove[] {
  const reported = items.flatMap(({ itemId, status }) => {
    const result = results.get(itemId);
    const isOpen = status === 'queued' || (status === 'printed' && result?.result === 'failed');
    return result && isOpen ? [result] : [];
  });
  const printed = reported.filter(({ result }) => result === 'printed').map(({ itemId }) => itemId);
  const failed = reported.flatMap((each) => (each.result === 'failed' ? [each] : []));
  return [
    ...(printed.length > 0 ? [{ itemIds: printed, target: 'printed', by: 'press' } as const] : []),
    ...failed.map(({ itemId, reason }): BatchMove => {
      const failure = { code: 'PRINT_FAILED', message: reason } as const;
      return { itemIds: [itemId], target: 'failed', failure, by: 'press' };
    }),
  ];
}
