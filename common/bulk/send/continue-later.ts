import type { Clock } from '#common/clock.ts';
import { type Claim, type Finish, finishClaim } from '#common/platform/due-work/due-work.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { BulkRecord } from '../model/bulk.model.ts';

/** Gives the worker to others. The bulk is due again behind them, and a hint saves the wait for the scanner. */
export async function continueLater(
  claim: Claim<BulkRecord>,
  { clock, hints }: { clock: Clock; hints: Hints },
  finish: Finish = {},
): Promise<void> {
  if (await finishClaim(claim, { ...finish, nextAt: clock.now() })) hints.notify(claim.slot.queue, [claim.id]);
}
