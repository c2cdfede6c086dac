import type { Clock } from '../clock.ts';
import { claimFound, findDueInBulk } from '../platform/claim-due-in-bulk.ts';
import { leaseMs as defaultLeaseMs, releaseClaim, retryAfterThrow } from '../platform/due-work.ts';
import { type EventRecord, fanOutWork } from './event.model.ts';
import { type FanOutDeps, fanOut, findListeners } from './fan-out.ts';

/** Events turned into deliveries at once; their deliveries are stored by the thousand, however many there are. */
const maxEvents = 1_000;

export type FanOutDueOptions = Omit<FanOutDeps, 'tell'> & {
  clock: Clock;
  leaseMs?: number;
  /** Gets the endpoints whose workers must be told; `isMore` when another round follows. */
  tell(endpointIds: readonly string[], isMore: boolean): void;
};

/**
 * Turns events that are due into deliveries, the oldest first; whether there may be more. An event that cannot be fanned
 * out keeps none of the others waiting: it is tried again alone, and then later and later.
 */
export async function fanOutDue(options: FanOutDueOptions): Promise<boolean> {
  const { clock, log, metrics, leaseMs: ttlMs = defaultLeaseMs } = options;
  const found = await findDueInBulk<EventRecord>(fanOutWork, { now: clock.now(), limit: maxEvents });
  if (found.length === 0) return false;
  // Side by side: whoever waits for a single event waits for each round trip. A failure shows where it is awaited.
  const listening = findListeners(found);
  listening.catch(() => {});
  const claims = await claimFound(fanOutWork, found, { now: clock.now(), ttlMs });
  const isMore = claims.length === maxEvents;
  const deps = { log, metrics, tell: (endpointIds: readonly string[]) => options.tell(endpointIds, isMore) };
  try {
    await fanOut(claims, clock.now(), deps, listening);
  } catch (error) {
    log.warn({ err: error, count: claims.length }, 'events not fanned out together; now one by one');
    for (const claim of claims) {
      try {
        await fanOut([claim], clock.now(), deps);
      } catch (cause) {
        log.error({ err: cause, eventId: claim.id }, 'event not fanned out');
        await releaseClaim(claim, retryAfterThrow(claim.attempt, clock.now()));
      }
    }
  }
  return isMore;
}
