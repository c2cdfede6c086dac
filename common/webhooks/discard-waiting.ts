import type { Claim } from '../platform/due-work.ts';
import { Delivery } from './delivery.model.ts';
import type { EndpointRecord } from './endpoint.model.ts';

/** Gives up all that waits for an endpoint that is deleted or disabled. */
export async function discardWaiting(endpointId: string, at: Date): Promise<void> {
  await Delivery.updateMany({ endpointId, state: 'due' }, discarded(at));
}

/**
 * The same by a worker, who may learn late that the webhook is enabled again: what waits is marked with the lease
 * before `isStillEnded` is asked, so that only what waited while it was over is discarded. What its owner asks for
 * again loses the mark. False, with nothing discarded, when it is wanted after all.
 */
export async function discardMarked(
  { id: endpointId, token }: Claim<EndpointRecord>,
  at: Date,
  isStillEnded: () => Promise<boolean>,
): Promise<boolean> {
  const marked = { endpointId, state: 'due' as const, leaseToken: token };
  await Delivery.updateMany({ endpointId, state: 'due' }, { leaseToken: token });
  const isEnded = await isStillEnded();
  await Delivery.updateMany(marked, isEnded ? discarded(at) : { leaseToken: null });
  return isEnded;
}

const discarded = (at: Date) => ({ state: 'discarded', nextAttemptAt: null, leaseToken: null, updatedAt: at }) as const;
