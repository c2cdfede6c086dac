import type { Clock } from '#common/clock.ts';
import { type EventRecord, fanOutWork } from '#common/events/event.model.ts';
import { claimFound, findDueInBulk, finishClaimsInBulk } from '#common/platform/due-work/claim-due-in-bulk.ts';
import {
  type Claim,
  leaseMs as defaultLeaseMs,
  releaseClaim,
  retryAfterThrow,
} from '#common/platform/due-work/due-work.ts';
import { isDuplicateKey, rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Span } from '#common/platform/spans/span.ts';
import { errorClassOf, startSpan } from '#common/platform/spans/tracing.ts';
import { Delivery, type DeliveryRecord } from '../deliveries/delivery.model.ts';
import { type EndpointRef, wakeEndpoints } from '../endpoints/wake-endpoints.ts';
import { findListeners, type Listeners } from './listeners.ts';
import { type PlanDeps, planDeliveries } from './plan-deliveries.ts';

/** Events per round. The number of their deliveries is not limited. */
const maxEvents = 1_000;

/** Deliveries per insert: large enough to save round trips, small enough to bound memory. */
const insertBatchSize = 1_000;

type FanOutDueOptions = PlanDeps & {
  clock: Clock;
  leaseMs?: number;
  /** Receives the endpoints to send hints for. `isMore`: another round follows. */
  hint(endpointIds: readonly string[], isMore: boolean): void;
  /** Called with events whose deliveries are stored; after a crash again with the same. */
  onFannedOut?(events: readonly EventRecord[]): void;
};

/**
 * Stores the deliveries of due events, oldest first; returns whether there may be more. If the batch fails, each event
 * is fanned out on its own, so an event that cannot be fanned out does not delay the others and is retried with
 * back-off.
 */
export async function fanOutDue({
  clock,
  log,
  metrics,
  hint,
  onFannedOut = () => {},
  leaseMs = defaultLeaseMs,
}: FanOutDueOptions) {
  const found = await findDueInBulk<EventRecord>(fanOutWork, { now: clock.now(), limit: maxEvents });
  if (found.length === 0) return false;
  // Read the listeners while the events are claimed. An error is thrown where the promise is awaited.
  const listening = findListeners(found, clock.now());
  listening.catch(() => {});
  const claims = await claimFound(fanOutWork, found, { now: clock.now(), ttlMs: leaseMs });
  const isMore = claims.length === maxEvents;
  const deps = { log, metrics, onFannedOut, hint: (ids: readonly string[]) => hint(ids, isMore) };
  try {
    await fanOut(claims, clock.now(), deps, listening);
  } catch (error) {
    await fanOutEach(claims, error, clock.now(), deps);
  }
  return isMore;
}

type FanOutDeps = PlanDeps & {
  hint: (endpointIds: readonly string[]) => void;
  onFannedOut: (events: readonly EventRecord[]) => void;
};

/**
 * Stores one delivery per event and subscribed webhook, or only one to the mail job's own URL. A disabled webhook gets
 * a discarded delivery, which its owner can retry manually. Idempotent: deliveries are unique by event and endpoint.
 */
async function fanOut(
  claims: readonly Claim<EventRecord>[],
  at: Date,
  deps: FanOutDeps,
  listening = findListeners(
    claims.map(({ row }) => row),
    at,
  ),
): Promise<void> {
  const listeners = await listening;
  const waiting = new Map<string, EndpointRef>();
  const { events, end } = traceEach(claims.map(({ row }) => row));
  try {
    for (const rows of deliveryBatches(events, listeners, at, deps)) {
      await insertDeliveries(rows);
      for (const { state, organizationId, mode, endpointId, webhookId } of rows) {
        if (state === 'due') waiting.set(endpointId, { organizationId, mode, endpointId, webhookId });
      }
    }
  } catch (error) {
    end(errorClassOf(error));
    throw error;
  }
  end();
  deps.hint(await wakeEndpoints([...waiting.values()], at));
  // Last: after a crash before this write the events are fanned out again.
  await finishClaimsInBulk(claims, { fannedOutAt: at });
  deps.onFannedOut(events);
}

/** Starts a span for each event that has a trace, and returns the events with the contexts that their deliveries continue. */
function traceEach(events: readonly EventRecord[]): { events: readonly EventRecord[]; end(error?: string): void } {
  const spans: Span[] = [];
  const traced = events.map((event) => {
    if (event.traceparent === undefined) return event;
    const attributes = { 'messaging.destination.name': fanOutWork.queue, 'bluejay.event_id': event._id };
    const span = startSpan('process fan-out', { kind: 'consumer', parent: event.traceparent, attributes });
    spans.push(span);
    return { ...event, traceparent: span.traceparent ?? event.traceparent };
  });
  return { events: traced, end: (error) => spans.forEach((span) => void span.end({ error })) };
}

async function fanOutEach(
  claims: readonly Claim<EventRecord>[],
  error: unknown,
  at: Date,
  deps: FanOutDeps,
): Promise<void> {
  deps.log.warn({ err: error, count: claims.length }, 'fan-out batch failed, retrying each event');
  for (const claim of claims) {
    try {
      await fanOut([claim], at, deps);
    } catch (cause) {
      deps.log.error({ err: cause, eventId: claim.id }, 'event not fanned out');
      await releaseClaim(claim, retryAfterThrow(claim.failures, at));
    }
  }
}

function* deliveryBatches(
  events: readonly EventRecord[],
  listeners: Listeners,
  at: Date,
  deps: PlanDeps,
): Generator<DeliveryRecord[]> {
  let rows: DeliveryRecord[] = [];
  for (const event of events) {
    rows.push(...planDeliveries(event, listeners, at, deps));
    if (rows.length < insertBatchSize) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

async function insertDeliveries(rows: DeliveryRecord[]): Promise<void> {
  try {
    await rowsOf<DeliveryRecord>(Delivery).insertMany(rows, { ordered: false });
  } catch (error) {
    // A duplicate is the delivery of an earlier run that died before it finished the event.
    if (!isDuplicateKey(error)) throw error;
  }
}
