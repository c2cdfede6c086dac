import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { finishClaimsInBulk } from '../platform/claim-due-in-bulk.ts';
import { type Claim, unjournaled } from '../platform/due-work.ts';
import type { Log } from '../platform/log.ts';
import { isDuplicateKey, rowsOf } from '../platform/mongo.ts';
import { insertQuickly, isSafeSince, type Reign } from '../platform/quick-writes.ts';
import { Delivery, type DeliveryRecord } from './delivery.model.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { jobEndpointId } from './endpoint.model.ts';
import type { EventRecord } from './event.model.ts';
import { type Wanted, wakeEndpoints } from './wake-endpoints.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';

type Target = { endpointId: string; webhookId: string | null; url: string; isActive: boolean };
type Listener = Pick<WebhookRecord, '_id' | 'url' | 'events' | 'status' | 'organizationId' | 'mode'>;
/** By owner. */
type ListenersOf = ReadonlyMap<string, readonly Listener[]>;

export type FanOutDeps = { log: Log; metrics: DeliveryMetrics; tell: (endpointIds: readonly string[]) => void };

/** Rows of one insert: enough for few round trips, few enough to be small in memory. */
const rowsAtOnce = 1_000;
/** Of the disabled webhooks of one owner the newest so many are noted down what they miss. */
const maxDisabled = 100;
/** Far above what any of our events has (2 kB at most): a larger one is a fault of ours, and no receiver must see it. */
const maxBodyBytes = 64 * 1024;

/** Up to so many events are on their way before they are stored for good: with more, nobody waits for a single one. */
const maxHurried = 10;

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
  const isHurried = claims.length <= maxHurried && (await hurry(claims, listenersOf, at, deps));
  if (!isHurried) {
    for (const rows of deliveriesOf(claims, listenersOf, at, deps)) await insertDeliveries(rows);
    deps.tell(await wakeEndpoints(wantedBy(claims, listenersOf), at));
  }
  // Last: should this process die before, the whole is done again.
  await finishClaimsInBulk(claims, { fannedOutAt: at });
}

/**
 * Few events: workers are told before the deliveries are stored for good, which is found out afterwards, and before the
 * events are. False when it is to be done once more: a primary was lost meanwhile, and with it perhaps a delivery, or
 * that its endpoint is due. Its receiver may then see an event twice, as after any crash.
 */
async function hurry(
  claims: readonly Claim<EventRecord>[],
  listenersOf: ListenersOf,
  at: Date,
  deps: FanOutDeps,
): Promise<boolean> {
  const { name } = Delivery.collection;
  const reigns: Reign[] = [];
  for (const rows of deliveriesOf(claims, listenersOf, at, deps)) reigns.push(await insertQuickly(name, rows));
  const [reign] = reigns;
  if (reign === undefined) return true;
  deps.tell(await wakeEndpoints(wantedBy(claims, listenersOf), at, unjournaled));
  return await isSafeSince(reign, name);
}

/** What is to be stored, in parts that are small in memory. */
function* deliveriesOf(
  claims: readonly Claim<EventRecord>[],
  listenersOf: ListenersOf,
  at: Date,
  deps: FanOutDeps,
): Generator<DeliveryRecord[]> {
  let rows: DeliveryRecord[] = [];
  for (const { row: event } of claims) {
    for (const target of targetsOf(event, listenersOf)) rows.push(toDelivery(event, target, at, deps));
    if (rows.length < rowsAtOnce) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function wantedBy(claims: readonly Claim<EventRecord>[], listenersOf: ListenersOf): Wanted[] {
  return claims.flatMap(({ row: event }) =>
    targetsOf(event, listenersOf)
      .filter(({ isActive }) => isActive)
      .map(({ endpointId, webhookId }) => ({ ...ownerOf(event), endpointId, webhookId })),
  );
}

const ownerOf = ({ organizationId, mode }: Owner): Owner => ({ organizationId, mode });
const ownerKey = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;

/** The webhooks of the owners of these events: all active ones, and the newest of the disabled. */
export async function findListeners(events: readonly EventRecord[]): Promise<ListenersOf> {
  const owners = new Map(events.filter(({ webhookUrl }) => webhookUrl === null).map((one) => [ownerKey(one), one]));
  const organizationIds = [...new Set([...owners.values()].map(({ organizationId }) => organizationId))];
  if (organizationIds.length === 0) return new Map();
  const found = await rowsOf<WebhookRecord>(Webhook)
    .find({ organizationId: { $in: organizationIds }, mode: { $in: ['test', 'live'] }, deletedAt: null })
    .project<Listener>({ url: 1, events: 1, status: 1, organizationId: 1, mode: 1 })
    .toArray();
  return new Map(
    [...Map.groupBy(found, ownerKey)].map(([key, all]) => {
      const disabled = all.filter(({ status }) => status === 'disabled');
      const newest = disabled.sort((left, right) => (left._id < right._id ? 1 : -1)).slice(0, maxDisabled);
      return [key, [...all.filter(({ status }) => status === 'active'), ...newest]];
    }),
  );
}

function targetsOf(event: EventRecord, listenersOf: ListenersOf): Target[] {
  const { webhookUrl } = event;
  if (webhookUrl !== null) {
    return [{ endpointId: jobEndpointId(event, webhookUrl), webhookId: null, url: webhookUrl, isActive: true }];
  }
  const listeners = listenersOf.get(ownerKey(event)) ?? [];
  return listeners
    .filter(({ events }) => events.includes(event.kind))
    .map(({ _id, url, status }) => ({ endpointId: _id, webhookId: _id, url, isActive: status === 'active' }));
}

function toDelivery(event: EventRecord, target: Target, at: Date, { log, metrics }: FanOutDeps): DeliveryRecord {
  const { isActive, ...place } = target;
  const isTooLarge = Buffer.byteLength(event.body) > maxBodyBytes;
  if (isTooLarge) {
    log.error({ eventId: event._id }, 'event too large to be delivered');
    metrics.deliveries.inc({ result: 'failed', error_class: 'too_large' });
  } else if (!isActive) {
    metrics.deliveries.inc({ result: 'discarded', error_class: 'none' });
  }
  const isDue = isActive && !isTooLarge;
  return {
    _id: newId('whd'),
    ...ownerOf(event),
    ...place,
    eventId: event._id,
    event: event.kind,
    mailJobId: event.subjectId,
    body: event.body,
    state: isTooLarge ? 'failed' : isDue ? 'due' : 'discarded',
    attempt: 0,
    nextAttemptAt: isDue ? at : null,
    leaseToken: null,
    isLate: false,
    isManual: false,
    lastResult: isTooLarge ? 'too_large' : null,
    eventAt: event.at,
    createdAt: at,
    updatedAt: at,
  };
}

async function insertDeliveries(rows: DeliveryRecord[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    await rowsOf<DeliveryRecord>(Delivery).insertMany(rows, { ordered: false });
  } catch (error) {
    // Left by an earlier run that died before its end: they are there, which is all that is wanted.
    if (!isDuplicateKey(error)) throw error;
  }
}
