import type { BulkCheckDeps } from '#common/bulk/check/bulk-check-deps.ts';
import { runBulkCheck } from '#common/bulk/check/run-bulk-check.ts';
import { type BulkRecord, bulkCheckWork, bulkSendWork } from '#common/bulk/model/bulk.model.ts';
import type { BulkSendDeps } from '#common/bulk/send/bulk-send-deps.ts';
import { runBulkSend } from '#common/bulk/send/run-bulk-send.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import { type ClaimDeps, claimedWork, type Run } from './claimed-work.ts';
import type { WorkerDefinition } from './worker.ts';

/** Bulks that one process works on at once. Of one organization it is one: the others get their turn. */
const concurrency = 2;

/** Creates the workers that read and check bulk files, and that turn their rows into mail jobs. */
export function bulkWorkers(deps: BulkCheckDeps & BulkSendDeps & ClaimDeps): WorkerDefinition[] {
  return [
    bulkWorker(bulkCheckWork, (claim, { signal }) => runBulkCheck(claim, deps, signal), deps),
    bulkWorker(bulkSendWork, (claim, stop) => runBulkSend(claim, deps, stop), deps),
  ];
}

function bulkWorker(slot: DueSlot, run: Run<BulkRecord>, deps: BulkSendDeps & ClaimDeps): WorkerDefinition {
  const logFieldsOf = ({ _id: bulkId, state }: BulkRecord) => ({ bulkId, state });
  const fair = { concurrency, perOrganization: 1 };
  return claimedWork<BulkRecord>({ slot, ...fair, logFieldsOf, doneLevel: 'debug', run }, deps);
}
