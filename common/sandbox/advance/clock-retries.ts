import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { wakeEndpoints } from '#common/webhooks/endpoints/wake-endpoints.ts';
import { retriesByClock } from '../clocks/letter-clock.schema.ts';

/** Retries made due per write. */
const maxRetries = 500;

// Bypasses mongoose, as all queues of deliveries do.
const rows = () => rowsOf<DeliveryRecord>(Delivery);

const waiting = (clockId: string, until: Date) =>
  ({ 'clock.id': clockId, state: 'due', 'clock.retryAt': { $lte: until } }) as object;

/** Returns when the last of those retries falls due on a test clock that are due until then; null when none is. */
export async function findLastRetry(clockId: string, until: Date): Promise<Date | null> {
  const last = await rows().findOne(waiting(clockId, until), {
    sort: { 'clock.retryAt': -1 },
    hint: retriesByClock,
    projection: { clock: 1 },
  });
  return last?.clock?.retryAt ?? null;
}

/**
 * Makes retries due at once that fall due on a test clock until `until`, at most 500 of them, and wakes their endpoints. A
 * paused endpoint stays paused. Repeating it is harmless, also when it was interrupted.
 */
export async function sendRetries(clockId: string, until: Date, { hints }: { hints: Hints }, at: Date): Promise<void> {
  const found = await rows().find(waiting(clockId, until)).hint(retriesByClock).limit(maxRetries).toArray();
  const ours = { _id: { $in: found.map(({ _id }) => _id) }, ...waiting(clockId, until) };
  await rows().updateMany(ours, [{ $set: { nextAttemptAt: { $min: ['$nextAttemptAt', at] } } }]);
  const hinted = await wakeEndpoints(found, at);
  if (hinted.length > 0) hints.notify('webhook-delivery', hinted);
  // Last: after a crash before this write they are found again. An attempt in between has stored a later time.
  await rows().updateMany(ours, { $unset: { 'clock.retryAt': '' } } as object);
}
