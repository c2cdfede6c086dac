import { claimFound, finishClaimsInBulk } from '../platform/claim-due-in-bulk.ts';
import { type Claim, unjournaled } from '../platform/due-work.ts';
import { insertQuickly, isSafeSince, lastReign, type Reign } from '../platform/quick-writes.ts';
import { Delivery, type DeliveryRecord } from './delivery.model.ts';
import { type EventRecord, fanOutWork } from './event.model.ts';
import { type FanOutDeps, fanOut, fanOutEach } from './fan-out.ts';
import type { EventsWithListeners } from './listeners.ts';
import { endpointsOf, planDeliveries } from './plan-deliveries.ts';
import { type Wanted, wakeEndpoints } from './wake-endpoints.ts';

/** An endpoint for which deliveries are about to be stored. */
export type Expected = {
  endpoint: Wanted;
  /** Where they would go now. */
  url: string;
  /** How many they may be. */
  most: number;
  /** They, as soon as they are stored; may be none. Rejects when it is not known whether they are. */
  deliveries: Promise<readonly DeliveryRecord[]>;
};

/**
 * Has an endpoint taken by a sender of this process, before there is anything to send: the token of its lease, which
 * its deliveries are to bear. Null when there is no room, or when others wait or work at the endpoint.
 */
export type Summon = (expected: Expected) => Promise<string | null>;

export type FanOutFewDeps = FanOutDeps & { summon: Summon; leaseMs: number };

/** By endpoint. */
type Tokens = ReadonlyMap<string, string>;

const collection = Delivery.collection.name;

/**
 * Turns few events into deliveries, as `fanOut` does, in as few round trips as may be, for somebody waits for them.
 * Their endpoints are taken while the events are claimed, so that the deliveries are stored as being sent; and they are
 * sent before they are stored for good, which is found out before the events are finished.
 */
export async function fanOutFew(found: EventsWithListeners, at: Date, deps: FanOutFewDeps): Promise<void> {
  // From before anything is written. Unknown to a process that has not written so before: it goes the long way once.
  const since = lastReign();
  const startedMs = performance.now();
  const sending = Promise.withResolvers<readonly DeliveryRecord[]>();
  // Perhaps nobody waits for it.
  sending.promise.catch(() => {});
  const summoned = since === null ? null : summonAll(found, sending.promise, deps);
  let claims: Claim<EventRecord>[] = [];
  try {
    claims = await claimFound(fanOutWork, found.events, { now: at, ttlMs: deps.leaseMs });
    const tokens: Tokens = (await summoned) ?? new Map();
    const reign = await store(claims, { ...found, tokens, at, deps }, sending.resolve);
    // Stored too late, a delivery may bear a lease that is over: whoever had the endpoint next has not seen it.
    const isInTime = performance.now() - startedMs < deps.leaseMs;
    // A primary was lost meanwhile, and with it perhaps a delivery, or that an endpoint is due: all of it once more. A
    // receiver may then see an event twice, as after any crash.
    const isOneReign = reign !== 'nothing' && (since ?? reign) === reign;
    const isSafe = reign === 'nothing' || (isInTime && isOneReign && (await isSafeSince(reign, collection)));
    if (isSafe) await finishClaimsInBulk(claims, { fannedOutAt: at });
    else await fanOut(claims, at, deps, Promise.resolve(found.listenersOf));
  } catch (error) {
    sending.reject(error);
    if (claims.length === 0) throw error;
    await fanOutEach(claims, error, at, deps);
  }
}

async function summonAll(
  { events, listenersOf }: EventsWithListeners,
  deliveries: Promise<readonly DeliveryRecord[]>,
  { summon, log }: FanOutFewDeps,
): Promise<Tokens> {
  const byId = new Map(endpointsOf(events, listenersOf).map((one) => [one.endpointId, one]));
  const summoned = [...byId].map(async ([id, { url, ...endpoint }]) => {
    const own = deliveries.then((rows) => rows.filter(({ endpointId }) => endpointId === id));
    own.catch(() => {});
    const token = await summon({ endpoint, url, most: events.length, deliveries: own }).catch((error: unknown) => {
      log.warn({ err: error, endpointId: id }, 'endpoint not taken; it is made due instead');
      return null;
    });
    return token === null ? [] : [[id, token] as const];
  });
  return new Map((await Promise.all(summoned)).flat());
}

type ToStore = EventsWithListeners & { tokens: Tokens; at: Date; deps: FanOutFewDeps };

/** Stores the deliveries: those of endpoints that are taken as being sent, and tells the workers of the others. */
async function store(
  claims: readonly Claim<EventRecord>[],
  { listenersOf, tokens, at, deps }: ToStore,
  hand: (deliveries: readonly DeliveryRecord[]) => void,
): Promise<Reign | 'nothing'> {
  const events = claims.map(({ row }) => row);
  const rows = events
    .flatMap((event) => planDeliveries(event, listenersOf, at, deps))
    .map((row) => stamp(row, tokens.get(row.endpointId), at));
  if (rows.length === 0) {
    hand([]);
    return 'nothing';
  }
  const { reign, refused } = await insertQuickly(collection, rows);
  // What an earlier run has left stands as that run has made it.
  hand(rows.filter(({ _id, state }) => state === 'sending' && !refused.has(_id)));
  const others = endpointsOf(events, listenersOf).filter(({ endpointId }) => !tokens.has(endpointId));
  deps.tell(await wakeEndpoints(others, at, unjournaled));
  return reign;
}

function stamp(row: DeliveryRecord, token: string | undefined, at: Date): DeliveryRecord {
  const isTaken = token !== undefined && row.state === 'due';
  return isTaken ? { ...row, state: 'sending', leaseToken: token, takenAt: at } : row;
}
