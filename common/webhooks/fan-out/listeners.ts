import { findEndedGrants } from '#common/access/live-grants.ts';
import type { EventRecord } from '#common/events/event.model.ts';
import { type Mode, modes, type Owner } from '#common/modes.ts';
import { Webhook, type WebhookRecord } from '../registry/webhook.model.ts';

type Listener = Pick<WebhookRecord, '_id' | 'url' | 'events' | 'status' | 'epoch' | 'organizationId' | 'mode'>;
/** Who gets events. */
export type Listeners = {
  /** By `ownerKey`. */
  webhooks: ReadonlyMap<string, readonly Listener[]>;
  /** Grants that have ended: the mail jobs' own URLs given under them get nothing. */
  endedGrants: ReadonlySet<string>;
};

/** Only this many disabled webhooks per owner, the newest, get a discarded delivery that can be retried manually. */
const maxDisabled = 100;
/** Owners per query: each has at most its quota of active webhooks and `maxDisabled` others. */
const ownersAtOnce = 100;

const fields = { url: 1, events: 1, status: 1, epoch: 1, organizationId: 1, mode: 1 };

export const ownerKey = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;

/**
 * Returns the webhooks of the owners of these events: all active ones, and the newest of the disabled. Of the events to mail
 * jobs' own URLs it returns the grants that have ended.
 */
export async function findListeners(events: readonly EventRecord[], at: Date): Promise<Listeners> {
  const grantIds = events.flatMap(({ grantId = [] }) => grantId);
  const [webhooks, endedGrants] = await Promise.all([findWebhooks(events), findEndedGrants(grantIds, at)]);
  return { webhooks, endedGrants };
}

async function findWebhooks(events: readonly EventRecord[]): Promise<Listeners['webhooks']> {
  const found: Listener[] = [];
  for (const mode of modes) {
    const own = events.filter((event) => event.mode === mode && event.webhookUrl === null);
    const organizationIds = [...new Set(own.map(({ organizationId }) => organizationId))];
    for (let start = 0; start < organizationIds.length; start += ownersAtOnce) {
      found.push(...(await readListeners(mode, organizationIds.slice(start, start + ownersAtOnce))));
    }
  }
  return Map.groupBy(found, ownerKey);
}

/** One look-up by index for each owner and status, so disabled webhooks beyond the newest cost nothing. */
async function readListeners(mode: Mode, organizationIds: readonly string[]): Promise<Listener[]> {
  const lookUp = (status: WebhookRecord['status'], newest: object[]) => ({
    $lookup: {
      from: Webhook.collection.name,
      localField: '_id',
      foreignField: 'organizationId',
      pipeline: [{ $match: { mode, deletedAt: null, status } }, ...newest, { $project: fields }],
      as: status,
    },
  });
  const pipeline = [
    { $documents: organizationIds.map((_id) => ({ _id })) },
    lookUp('active', []),
    lookUp('disabled', [{ $sort: { _id: -1 } }, { $limit: maxDisabled }]),
  ];
  const owners = await Webhook.db.db?.aggregate<Record<WebhookRecord['status'], Listener[]>>(pipeline).toArray();
  return (owners ?? []).flatMap(({ active, disabled }) => [...active, ...disabled]);
}
