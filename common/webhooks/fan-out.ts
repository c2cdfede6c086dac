import { finishClaimsInBulk } from '../platform/claim-due-in-bulk.ts';
import { type Claim, releaseClaim, retryAfterThrow } from '../platform/due-work.ts';
import { isDuplicateKey, rowsOf } from '../platform/mongo.ts';
import { Delivery, type DeliveryRecord } from './delivery.model.ts';
import type { EventRecord } from './event.model.ts';
import { findListeners, type ListenersOf } from './listeners.ts';
import { endpointsOf, type PlanDeps, planDeliveries } from './plan-deliveries.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

export type FanOutDeps = PlanDeps & { tell: (endpointIds: readonly string[]) => void };

/** Rows of one insert: enough for few round trips, few enough to be small in memory. */
const rowsAtOnce = 1_000;

/**
 * Turns events into a stored delivery for each webhook that wants their kind, or for the job's own address alone. A
 * webhook that is disabled gets its delivery discarded, so that its owner can ask for it later. Safe to run twice: an
 * event has one delivery an endpoint. `tell` gets the endpoints whose workers must be told.
 */
export async function fanOut(
  claims: readonly Claim<EventRecord>[],
  at: Date,
  deps: FanOutDeps,
  listening = findListeners(claims.map(({ row }) => row)),
): Promise<void> {
  const listenersOf = await listening;
  for (const rows of inParts(claims, listenersOf, at, deps)) await insertDeliveries(rows);
  const events = claims.map(({ row }) => row);
  deps.tell(await wakeEndpoints(endpointsOf(events, listenersOf), at));
  // Last: should this process die before, the whole is done again.
  await finishClaimsInBulk(claims, { fannedOutAt: at });
}

/**
 * After a failure: an event that cannot be fanned out keeps none of the others waiting, and is tried later and later.
 */
export async function fanOutEach(
  claims: readonly Claim<EventRecord>[],
  error: unknown,
  at: Date,
  deps: FanOutDeps,
): Promise<void> {
  deps.log.warn({ err: error, count: claims.length }, 'events not fanned out together; now one by one');
  for (const claim of claims) {
    try {
      await fanOut([claim], at, deps);
    } catch (cause) {
      deps.log.error({ err: cause, eventId: claim.id }, 'event not fanned out');
      await releaseClaim(claim, retryAfterThrow(claim.attempt, at));
    }
  }
}

/** What is to be stored, in parts that are small in memory. */
function* inParts(
  claims: readonly Claim<EventRecord>[],
  listenersOf: ListenersOf,
  at: Date,
  deps: PlanDeps,
): Generator<DeliveryRecord[]> {
  let rows: DeliveryRecord[] = [];
  for (const { row: event } of claims) {
    rows.push(...planDeliveries(event, listenersOf, at, deps));
    if (rows.length < rowsAtOnce) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

async function insertDeliveries(rows: DeliveryRecord[]): Promise<void> {
  try {
    await rowsOf<DeliveryRecord>(Delivery).insertMany(rows, { ordered: false });
  } catch (error) {
    // Left by an earlier run that died before its end: they are there, which is all that is wanted.
    if (!isDuplicateKey(error)) throw error;
  }
}
