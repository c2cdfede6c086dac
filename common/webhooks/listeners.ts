import type { Owner } from '../modes.ts';
import { dueAndFree } from '../platform/claim-due-in-bulk.ts';
import { rowsOf } from '../platform/mongo.ts';
import { type EventRecord, fanOutWork } from './event.model.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';

export type Listener = Pick<WebhookRecord, '_id' | 'url' | 'events' | 'status' | 'organizationId' | 'mode'>;
/** By owner. */
export type ListenersOf = ReadonlyMap<string, readonly Listener[]>;

/** Of the disabled webhooks of one owner the newest so many are noted down what they miss. */
const maxDisabled = 100;

const fields = { url: 1, events: 1, status: 1, organizationId: 1, mode: 1 };

export const ownerKey = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;

/** The webhooks of the owners of these events: all active ones, and the newest of the disabled. */
export async function findListeners(events: readonly EventRecord[]): Promise<ListenersOf> {
  const owners = new Map(events.filter(({ webhookUrl }) => webhookUrl === null).map((one) => [ownerKey(one), one]));
  const organizationIds = [...new Set([...owners.values()].map(({ organizationId }) => organizationId))];
  if (organizationIds.length === 0) return new Map();
  const found = await rowsOf<WebhookRecord>(Webhook)
    .find({ organizationId: { $in: organizationIds }, mode: { $in: ['test', 'live'] }, deletedAt: null })
    .project<Listener>(fields)
    .toArray();
  return byOwner(found);
}

export type EventsWithListeners = { events: EventRecord[]; listenersOf: ListenersOf };

/**
 * The oldest events that are due and that nobody holds, with the webhooks of their owners, as `findListeners` has them:
 * one round trip for both, for the event that somebody waits for.
 */
export async function findEventsWithListeners(now: Date, limit: number): Promise<EventsWithListeners> {
  const found = await rowsOf<EventRecord>(fanOutWork.collection)
    .aggregate<EventRecord & { listeners: Listener[] }>([
      { $match: dueAndFree(fanOutWork, now) },
      { $sort: { [`${fanOutWork.path}.at`]: 1 } },
      { $limit: limit },
      {
        $lookup: {
          from: Webhook.collection.name,
          localField: 'organizationId',
          foreignField: 'organizationId',
          pipeline: [{ $match: { mode: { $in: ['test', 'live'] }, deletedAt: null } }, { $project: fields }],
          as: 'listeners',
        },
      },
    ])
    .toArray();
  const all = new Map(found.flatMap(({ listeners }) => listeners.map((one) => [one._id, one])));
  return { events: found.map(({ listeners: _, ...event }) => event), listenersOf: byOwner([...all.values()]) };
}

function byOwner(found: readonly Listener[]): ListenersOf {
  return new Map(
    [...Map.groupBy(found, ownerKey)].map(([key, all]) => {
      const disabled = all.filter(({ status }) => status === 'disabled');
      const newest = disabled.sort((left, right) => (left._id < right._id ? 1 : -1)).slice(0, maxDisabled);
      return [key, [...all.filter(({ status }) => status === 'active'), ...newest]];
    }),
  );
}
