import { type Claim, reloadClaim, unjournaled } from '#common/platform/due-work/due-work.ts';
import { isDuplicateKey, rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Log } from '#common/platform/process/log.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
  pendingByEndpoint,
} from '../deliveries/delivery.model.ts';
import type { DeliveryMetrics } from '../deliveries/delivery-metrics.ts';
import { lowPriorityFromAttempt } from '../deliveries/retry-schedule.ts';
import type { EndpointRecord } from '../endpoints/endpoint.model.ts';
import { maxInFlight } from './send-queue.ts';

type Orphan = Pick<DeliveryRecord, '_id' | 'attempt' | 'takenAt'>;

/** Error class of an attempt whose outcome is unknown because its worker died. */
const errorClass = 'interrupted';

const rows = () => rowsOf<DeliveryRecord>(Delivery);

/**
 * Makes the deliveries that a dead worker left in `sending` due again. Safe because this worker holds the endpoint's
 * lease, so no other worker is sending them. The first `maxInFlight` of them in posting order may have been posted:
 * each counts as an attempt, which keeps attempt numbers unique. Returns whether there were any.
 */
export async function reclaimOrphans(
  claim: Claim<EndpointRecord>,
  now: Date,
  deps: { log: Log; metrics: DeliveryMetrics },
): Promise<boolean> {
  const { organizationId } = claim.row;
  const orphaned = {
    organizationId,
    endpointId: claim.id,
    state: 'sending' as const,
    leaseToken: { $ne: claim.token },
  };
  // Rows with a stored result have left `sending`, so the posts that were in flight come first in posting order.
  const started = await rows()
    .find(orphaned)
    .sort({ takenAt: 1, isLowPriority: 1, nextAttemptAt: 1 })
    .hint(pendingByEndpoint)
    .limit(maxInFlight)
    .project<Orphan>({ attempt: 1, takenAt: 1 })
    .toArray();
  if (started.length === 0) return false;
  const tokens = await rows().distinct('leaseToken', orphaned);
  // Check the lease after reading the tokens: none of them can belong to a later holder of the endpoint.
  if (!(await reloadClaim(claim))) return false;
  const reclaimed = { ...orphaned, leaseToken: { $in: tokens } };
  await logInterrupted(started, now, deps.log);
  const due = { state: 'due', leaseToken: null, nextAttemptAt: now } as const;
  const counted = {
    ...due,
    attempt: { $add: ['$attempt', 1] },
    isLowPriority: { $gte: [{ $add: ['$attempt', 2] }, lowPriorityFromAttempt] },
    lastResult: errorClass,
    updatedAt: now,
  };
  await rows().updateMany({ ...reclaimed, _id: { $in: started.map(({ _id }) => _id) } }, [{ $set: counted }]);
  await rows().updateMany(reclaimed, { $set: due }, unjournaled);
  deps.metrics.deliveries.inc({ result: 'retry', error_class: errorClass }, started.length);
  return true;
}

async function logInterrupted(started: readonly Orphan[], now: Date, log: Log): Promise<void> {
  const attempts = started.map(({ _id, attempt, takenAt = now }): DeliveryAttemptRecord => {
    const number = attempt + 1;
    const time = { startedAt: takenAt, durationMs: Math.max(0, now.getTime() - takenAt.getTime()) };
    const unknown = { status: null, errorClass, replyHead: null, remoteIp: null };
    return { _id: `${_id}:${number}`, deliveryId: _id, number, ...time, ...unknown };
  });
  try {
    await rowsOf<DeliveryAttemptRecord>(DeliveryAttempt).insertMany(attempts, { ordered: false });
  } catch (error) {
    // On a duplicate key the dead worker had already logged the real outcome, which is kept.
    if (!isDuplicateKey(error)) log.warn({ err: error }, 'attempts not logged');
  }
}
