import type { Clock } from '../clock.ts';
import { claimDueInBulk } from '../platform/claim-due-in-bulk.ts';
import { releaseClaim, retryAfterThrow } from '../platform/due-work.ts';
import { type EventRecord, fanOutWork } from './event.model.ts';
import { type FanOutDeps, fanOut } from './fan-out.ts';

/** Events turned into deliveries at once: a hundred webhooks for each are still little memory. */
const maxEvents = 256;

/**
 * Turns events that are due into deliveries, the oldest first. Returns how many it took, and the endpoints whose
 * workers must be told. An event that cannot be fanned out keeps none of the others waiting: it is tried again alone,
 * and then later and later.
 */
export async function fanOutDue({
  clock,
  leaseMs,
  ...deps
}: FanOutDeps & { clock: Clock; leaseMs?: number }): Promise<{
  count: number;
  isMore: boolean;
  endpointIds: string[];
}> {
  const bulk = { now: clock.now(), limit: maxEvents, ...(leaseMs !== undefined && { ttlMs: leaseMs }) };
  const claims = await claimDueInBulk<EventRecord>(fanOutWork, bulk);
  const count = claims.length;
  const isMore = count === maxEvents;
  if (count === 0) return { count, isMore, endpointIds: [] };
  try {
    return { count, isMore, endpointIds: await fanOut(claims, clock.now(), deps) };
  } catch (error) {
    deps.log.warn({ err: error, count }, 'events not fanned out together; now one by one');
  }
  const endpointIds: string[] = [];
  for (const claim of claims) {
    try {
      endpointIds.push(...(await fanOut([claim], clock.now(), deps)));
    } catch (error) {
      deps.log.error({ err: error, eventId: claim.id }, 'event not fanned out');
      const now = clock.now();
      await releaseClaim(claim, retryAfterThrow(claim.attempt, now));
    }
  }
  return { count, isMore, endpointIds };
}
