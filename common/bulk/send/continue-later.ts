import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import { type BulkRecord, bulkSendWork } from '../model/bulk.model.ts';
import type { BulkSendDeps } from './bulk-send-deps.ts';

/** Gives the worker to others. The bulk is due again behind them, and a hint saves the wait for the scanner. */
export async function continueLater(claim: Claim<BulkRecord>, { clock, hints }: BulkSendDeps): Promise<void> {
  if (await finishClaim(claim, { nextAt: clock.now() })) hints.notify(bulkSendWork.queue, [claim.id]);
}
