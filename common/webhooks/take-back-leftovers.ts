import { type Claim, unjournaled } from '../platform/due-work.ts';
import type { Log } from '../platform/log.ts';
import { isDuplicateKey, rowsOf } from '../platform/mongo.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
  endpointsWaiting,
} from './delivery.model.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { lateFromAttempt } from './retry-schedule.ts';
import { maxInFlight } from './send-batch.ts';

type Leftover = Pick<DeliveryRecord, '_id' | 'attempt' | 'takenAt'>;

/** The class of an attempt of whose end nobody knows. */
const errorClass = 'interrupted';

const rows = () => rowsOf<DeliveryRecord>(Delivery);

/**
 * Takes back the rows of a leased endpoint that a worker left behind when it died: the lease is ours, so nobody else is
 * sending them. What it may have been posting counts as an attempt, so that the next one has a number of its own; that
 * needs no mark on each row, for a batch is posted in its order. Returns whether there were any.
 */
export async function takeBackLeftovers(
  { id, token }: Claim<EndpointRecord>,
  now: Date,
  deps: { log: Log; metrics: DeliveryMetrics },
): Promise<boolean> {
  const left = { endpointId: id, state: 'sending' as const, leaseToken: { $ne: token } };
  // A row that is on record is gone from here, so that those under way are the first of the others.
  const begun = await rows()
    .find(left)
    .sort({ isLate: 1, nextAttemptAt: 1 })
    .hint(endpointsWaiting)
    .limit(maxInFlight)
    .project<Leftover>({ attempt: 1, takenAt: 1 })
    .toArray();
  if (begun.length === 0) return false;
  await logInterrupted(begun, now, deps.log);
  const again = { state: 'due', leaseToken: null, nextAttemptAt: now } as const;
  const counted = {
    ...again,
    attempt: { $add: ['$attempt', 1] },
    isLate: { $gte: [{ $add: ['$attempt', 2] }, lateFromAttempt] },
    lastResult: errorClass,
    updatedAt: now,
  };
  await rows().updateMany({ ...left, _id: { $in: begun.map(({ _id }) => _id) } }, [{ $set: counted }]);
  await rows().updateMany(left, { $set: again }, unjournaled);
  deps.metrics.deliveries.inc({ result: 'retry', error_class: errorClass }, begun.length);
  return true;
}

async function logInterrupted(begun: readonly Leftover[], now: Date, log: Log): Promise<void> {
  const attempts = begun.map(({ _id, attempt, takenAt = now }): DeliveryAttemptRecord => {
    const number = attempt + 1;
    const time = { startedAt: takenAt, durationMs: Math.max(0, now.getTime() - takenAt.getTime()) };
    const unknown = { status: null, errorClass, replyHead: null, remoteIp: null };
    return { _id: `${_id}:${number}`, deliveryId: _id, number, ...time, ...unknown };
  });
  try {
    await rowsOf<DeliveryAttemptRecord>(DeliveryAttempt).insertMany(attempts, { ordered: false });
  } catch (error) {
    // Its worker got as far as to log what came of it, which says more.
    if (!isDuplicateKey(error)) log.warn({ err: error }, 'attempts not logged');
  }
}
