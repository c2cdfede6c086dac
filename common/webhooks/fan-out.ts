import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { type Claim, finishClaim, newDue } from '../platform/due-work.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { Delivery, type DeliveryRecord } from './delivery.model.ts';
import { Endpoint, type EndpointRecord, jobEndpointId } from './endpoint.model.ts';
import type { EventRecord } from './event.model.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';

type Target = { endpointId: string; webhookId: string | null; url: string };

/**
 * Turns an event into a stored delivery for each webhook that wants its kind, or for the job's own address alone.
 * Safe to run twice: an event has one delivery an endpoint. Returns the endpoints whose workers must be told.
 */
export async function fanOut(claim: Claim<EventRecord>, at: Date): Promise<string[]> {
  const event = claim.row;
  const targets = await findTargets(event);
  await insertDeliveries(event, targets, at);
  const areToTell = await Promise.all(targets.map((target) => wakeEndpoint(event, target, at)));
  // Last: should this process die before, the whole is done again.
  await finishClaim(claim, { set: { fannedOutAt: at } });

  return targets.flatMap(({ endpointId }, index) => (areToTell[index] ? [endpointId] : []));
}

async function findTargets(event: EventRecord): Promise<Target[]> {
  const { organizationId, mode, kind, webhookUrl } = event;
  if (webhookUrl !== null) {
    return [{ endpointId: jobEndpointId(event, webhookUrl), webhookId: null, url: webhookUrl }];
  }
  const webhooks = await Webhook.find({ organizationId, mode, deletedAt: null, status: 'active', events: kind })
    .select({ url: 1 })
    .lean<Pick<WebhookRecord, '_id' | 'url'>[]>();
  return webhooks.map(({ _id, url }) => ({ endpointId: _id, webhookId: _id, url }));
}

async function insertDeliveries(event: EventRecord, targets: readonly Target[], at: Date): Promise<void> {
  const rows = targets.map(
    (target): DeliveryRecord => ({
      _id: newId('whd'),
      organizationId: event.organizationId,
      mode: event.mode,
      ...target,
      eventId: event._id,
      event: event.kind,
      mailJobId: event.subjectId,
      body: event.body,
      state: 'due',
      attempt: 0,
      nextAttemptAt: at,
      leaseToken: null,
      lastResult: null,
      createdAt: at,
      updatedAt: at,
    }),
  );
  try {
    await Delivery.insertMany(rows, { ordered: false });
  } catch (error) {
    // Left by an earlier run that died before its end: they are there, which is all that is wanted.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Both ways of waking an endpoint can lose a race against a worker or another event; a few rounds settle any of them. */
const maxWakeRounds = 10;

/**
 * Makes an endpoint due at `at` or earlier; whether a worker must be told. One that is sending at the moment is not
 * told: it sees the raised version when it is about to give the endpoint back, and looks again.
 */
export async function wakeEndpoint(
  { organizationId, mode }: Owner,
  { endpointId, webhookId }: Pick<Target, 'endpointId' | 'webhookId'>,
  at: Date,
): Promise<boolean> {
  for (let round = 0; round < maxWakeRounds; round += 1) {
    const before = await Endpoint.findOneAndUpdate(
      { _id: endpointId, due: { $exists: true } },
      { $min: { 'due.at': at }, $inc: { 'due.version': 1 } },
    ).lean<EndpointRecord>();
    if (before?.due) return before.due.at > at && before.due.leaseToken === null;
    try {
      await Endpoint.updateOne(
        { _id: endpointId, due: { $exists: false } },
        { $set: { due: newDue(at) }, $setOnInsert: { organizationId, mode, webhookId } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      // Somebody else has made it due since we looked: raise that one's version.
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new Error(`The endpoint ${endpointId} could not be woken in ${maxWakeRounds} rounds`);
}
