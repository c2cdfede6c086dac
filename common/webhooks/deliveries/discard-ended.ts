import { idHint } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { OfEndpoint } from './claim-deliveries.ts';
import { Delivery, type DeliveryRecord, pendingByEndpoint } from './delivery.model.ts';

/** Deliveries discarded per write: takes a fraction of a second, and little is repeated after a kill. */
export const discardBatchSize = 2_000;

/**
 * Discards up to `discardBatchSize` due deliveries of an endpoint in `epoch` or earlier. Returns whether more may be
 * left. Needs no lease: no worker may send a delivery of an ended epoch, and a manual retry moves a delivery to the
 * current one.
 */
export async function discardEnded(endpoint: OfEndpoint, epoch: number, at: Date): Promise<boolean> {
  const rows = rowsOf<DeliveryRecord>(Delivery);
  const { organizationId, endpointId } = endpoint;
  const ended = { organizationId, endpointId, state: 'due' as const, epoch: { $lte: epoch } };
  const found = await rows
    .find(ended)
    .hint(pendingByEndpoint)
    .limit(discardBatchSize)
    .project<Pick<DeliveryRecord, '_id'>>({ _id: 1 })
    .toArray();
  if (found.length === 0) return false;
  const discarded = { state: 'discarded', nextAttemptAt: null, leaseToken: null, updatedAt: at } as const;
  await rows.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...ended }, { $set: discarded }, idHint);
  return found.length === discardBatchSize;
}
