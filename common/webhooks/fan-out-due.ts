import type { Clock } from '../clock.ts';
import { claimFound, findDueInBulk } from '../platform/claim-due-in-bulk.ts';
import { leaseMs as defaultLeaseMs } from '../platform/due-work.ts';
import { type EventRecord, fanOutWork } from './event.model.ts';
import { type FanOutDeps, fanOut, fanOutEach } from './fan-out.ts';
import { fanOutFew, type Summon } from './fan-out-few.ts';
import { findEventsWithListeners, findListeners } from './listeners.ts';

/** Events turned into deliveries at once; their deliveries are stored by the thousand, however many there are. */
const maxEvents = 1_000;
/** Up to so many events are on their way before they are stored for good: with more, nobody waits for a single one. */
const maxHurried = 10;

export type FanOutDueOptions = Omit<FanOutDeps, 'tell'> & {
  clock: Clock;
  leaseMs?: number;
  /** Gets the endpoints whose workers must be told; `isMore` when another round follows. */
  tell(endpointIds: readonly string[], isMore: boolean): void;
  /** Without it, all endpoints are told. */
  summon?: Summon;
};

/**
 * Turns events that are due into deliveries, the oldest first; whether there may be more. An event that cannot be fanned
 * out keeps none of the others waiting: it is tried again alone, and then later and later.
 */
export async function fanOutDue(options: FanOutDueOptions): Promise<boolean> {
  const { clock, log, metrics, tell, leaseMs = defaultLeaseMs, summon = async () => null } = options;
  const few = await findEventsWithListeners(clock.now(), maxHurried + 1);
  if (few.events.length <= maxHurried) {
    const deps = { log, metrics, leaseMs, summon, tell: (ids: readonly string[]) => tell(ids, false) };
    if (few.events.length > 0) await fanOutFew(few, clock.now(), deps);
    return false;
  }
  const found = await findDueInBulk<EventRecord>(fanOutWork, { now: clock.now(), limit: maxEvents });
  // Side by side. A failure shows where it is awaited.
  const listening = findListeners(found);
  listening.catch(() => {});
  const claims = await claimFound(fanOutWork, found, { now: clock.now(), ttlMs: leaseMs });
  const isMore = claims.length === maxEvents;
  const deps = { log, metrics, tell: (ids: readonly string[]) => tell(ids, isMore) };
  try {
    await fanOut(claims, clock.now(), deps, listening);
  } catch (error) {
    await fanOutEach(claims, error, clock.now(), deps);
  }
  return isMore;
}
