// Level: push
import { Event, type EventRecord } from '#common/events/event.model.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
} from '#common/webhooks/deliveries/delivery.model.ts';
import { retryDelaysMs } from '#common/webhooks/deliveries/retry-schedule.ts';
import { findForgotten } from '#common/webhooks/deliveries/wake-forgotten.ts';
import { Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { byLevel, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { overSeeds, type Schedule } from '#test/support/races/schedule.ts';
import {
  type Change,
  type ChangeKind,
  createDeliveryRace,
  type DeliveryRace,
  type Post,
} from '#test/support/webhooks/delivery-race.ts';
import { isSignedBy } from '#test/support/webhooks/receiver.ts';

/**
 * Each of these seeds failed when one of these guards was removed, in their order: the comparison of the version in
 * `finishClaim` and that of the token, the lease in `claimDue`, the token in `attempt-recorder`, the state in
 * `claimDeliveries`, the token in `releaseDeliveries`, the order of writes in `fanOut`, and the lease in `reclaimOrphans`.
 * They lose this meaning when commands are added or reordered.
 */
const known = [88, 32, 28, 57, 126, 295, 87, 311];
/** Longer than a journaled write on a busy machine: a step that counts as blocked makes a seed depend on the machine. */
const blockedMs = 200;
const maxAttempts = retryDelaysMs.test.length + 1;
/** A worker that finds a delivery changed between two reads looks again after this time. */
const toleranceMs = 1_000;

type Ended = DeliveryRace & { deliveries: DeliveryRecord[]; attempts: DeliveryAttemptRecord[]; events: EventRecord[] };

const isAccepted = ({ status }: { status: number | null }) => status === 200;
const changesOf = ({ changes }: DeliveryRace, ...kinds: ChangeKind[]) =>
  changes.filter(({ kind }) => kinds.includes(kind));
const deliveryOf = ({ answer }: Change) => {
  const { _id, deliveryId = _id } = answer as { _id?: string; deliveryId?: string };
  return deliveryId;
};

/** Returns due deliveries whose endpoint is due too late for them, or never. */
async function findLate({ webhookId }: DeliveryRace, now: Date): Promise<string[]> {
  const endpoint = await Endpoint.findById(webhookId).orFail().lean<EndpointRecord>();
  const rows = await Delivery.find({ webhookId, state: 'due' }).lean<DeliveryRecord[]>();
  const endpointAt = endpoint.due?.at.getTime() ?? Number.POSITIVE_INFINITY;
  return rows
    .filter(({ nextAttemptAt }) => endpointAt > Math.max(nextAttemptAt?.getTime() ?? 0, now.getTime()) + toleranceMs)
    .map(({ _id }) => `${_id} is due, and its endpoint at ${endpoint.due?.at.toISOString()}`);
}

/** The claims about a race that has ended. Each returns its violations. */
const claims: Record<string, (race: Ended) => string[]> = {
  'each event has one delivery, or none after a delete': (race) => {
    const isDeleted = changesOf(race, 'delete').length > 0;
    return race.events
      .map(({ _id }) => ({ _id, count: race.deliveries.filter(({ eventId }) => eventId === _id).length }))
      .filter(({ count }) => count > 1 || (count === 0 && !isDeleted))
      .map(({ _id, count }) => `${_id} has ${count}`);
  },

  'all deliveries are final, and delivered unless the webhook was closed or the attempts failed': (race) => {
    const isOpen = changesOf(race, 'disable', 'delete').length === 0;
    const isFine = ({ state, isManual, attempt }: DeliveryRecord) =>
      state === 'delivered' ||
      (state === 'failed' && (isManual || attempt >= maxAttempts)) ||
      (state === 'discarded' && !isOpen);
    return race.deliveries.filter((row) => !isFine(row)).map(({ _id, state }) => `${_id}: ${state}`);
  },

  'no attempt number is posted twice': ({ posts }) => {
    const names = posts.map(({ deliveryId, attempt }) => `${deliveryId}:${attempt}`);
    return names.filter((name, index) => names.indexOf(name) !== index);
  },

  // A worker that loses its lease may have logged an attempt without its result, or the other way round.
  'the log has each post of workers with a lease, and nothing else but interruptions': (race) => {
    const { posts, attempts, deliveries } = race;
    const nameOf = ({ deliveryId, attempt }: Post) => `${deliveryId}:${attempt}`;
    const posted = new Set(posts.map(nameOf));
    const isLost = (id: string) => posts.some(({ deliveryId, by }) => deliveryId === id && by.hasLostLease);
    const countOf = (id: string) => attempts.filter(({ deliveryId }) => deliveryId === id).length;
    return [
      ...posts
        .filter(({ by }) => !by.hasLostLease)
        .map(nameOf)
        .filter((name) => !attempts.some(({ _id }) => _id === name)),
      ...attempts.filter((row) => row.errorClass !== 'interrupted' && !posted.has(row._id)).map(({ _id }) => _id),
      ...deliveries.filter((row) => !isLost(row._id) && countOf(row._id) !== row.attempt).map(({ _id }) => _id),
    ];
  },

  'what a worker with its lease delivered is stored, and not posted again by another': (race) => {
    const retried = changesOf(race, 'redeliver').map(deliveryOf);
    const kept = race.posts.filter(({ by, deliveryId }) => !by.hasLostLease && !retried.includes(deliveryId));
    return kept.filter(isAccepted).flatMap(({ deliveryId, at, by }) => {
      const state = race.deliveries.find(({ _id }) => _id === deliveryId)?.state;
      const again = kept.filter((post) => post.deliveryId === deliveryId && post.at > at);
      return [
        ...(state === 'delivered' ? [] : [`${deliveryId} of ${by.name} is ${state}`]),
        ...again.map((post) => `${deliveryId} of ${by.name} at ${at} is posted again by ${post.by.name} at ${post.at}`),
      ];
    });
  },

  'nothing is posted after the answer to a disable or delete': (race) =>
    changesOf(race, 'disable', 'delete').flatMap(({ kind, from, answeredAt }) => {
      const enabledAt = changesOf(race, 'enable').find((change) => change.from > answeredAt)?.from ?? Infinity;
      const retried = changesOf(race, 'redeliver').map(deliveryOf);
      const pending = race.storedBefore.filter((id) => !retried.includes(id));
      const isStarted = (id: string) => race.posts.some(({ deliveryId, at }) => deliveryId === id && at < answeredAt);
      const isWrong = ({ at, deliveryId }: Post) =>
        at > answeredAt && (at < enabledAt || (pending.includes(deliveryId) && !isStarted(deliveryId)));
      return race.posts.filter(isWrong).map((post) => `${post.deliveryId} at ${post.at}, after the ${kind} of ${from}`);
    }),

  'a redelivery or ping is posted unless the webhook is closed later': (race) =>
    changesOf(race, 'redeliver', 'ping')
      .filter(({ from }) => !changesOf(race, 'disable', 'delete').some(({ answeredAt }) => answeredAt > from))
      .filter(
        (change) => !race.posts.some(({ deliveryId, at }) => deliveryId === deliveryOf(change) && at > change.from),
      )
      .map((change) => `${change.kind} of ${deliveryOf(change)} at ${change.from}`),

  'after the answer to a rotation only the new secret signs': (race) =>
    changesOf(race, 'rotate').flatMap(({ answer, answeredAt }) => {
      const { secret } = answer as { secret: string };
      const isSigned = ({ headers, raw }: Post) =>
        isSignedBy(secret, { raw, headers: { 'x-service-signature': headers['X-Service-Signature'] } });
      const wrong = race.posts.filter((post) => post.at > answeredAt && !isSigned(post));
      return wrong.map(({ deliveryId, at }) => `${deliveryId} at ${at}, after the rotation of ${answeredAt}`);
    }),
};

describe('webhook sending by several processes in any order of database commands', () => {
  const clock = standingClock();
  const world = startWorld({ clock, hasTariffs: false });

  async function raceDeliveries(schedule: Schedule): Promise<void> {
    const race = await createDeliveryRace(schedule, world, clock);
    await race.run();
    const forgotten = await Array.fromAsync(findForgotten(clock.now(), 0));
    expect(forgotten.map(({ endpointId }) => `${endpointId} has pending deliveries and is not due`)).toEqual([]);
    expect(await findLate(race, clock.now())).toEqual([]);
    await race.drain();
    const { webhookId, organizationId } = race;
    const deliveries = await Delivery.find({ webhookId }).lean<DeliveryRecord[]>();
    const ids = deliveries.map(({ _id }) => _id);
    const attempts = await DeliveryAttempt.find({ deliveryId: { $in: ids } }).lean<DeliveryAttemptRecord[]>();
    const events = await Event.find({ organizationId }).lean<EventRecord[]>();
    const ended = { ...race, deliveries, attempts, events };
    const violated = Object.entries(claims).flatMap(([claim, find]) => find(ended).map((each) => `${claim}: ${each}`));
    expect(violated).toEqual([]);
  }

  test('nothing is lost, forgotten, repeated without need or sent to a closed webhook', () =>
    overSeeds(byLevel({ quick: 10, full: 60, long: 300 }), raceDeliveries, { blockedMs, known }));
});
