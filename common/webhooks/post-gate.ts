import type { EndpointRecord } from './endpoint.model.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';

/** How old the knowledge that a webhook is active may be. A deletion waits four times as long before it answers. */
const maxAgeMs = 500;

/** Where an endpoint's deliveries go now; `url` is null where each brings its own. */
export type PostTarget = { url: string | null };

/** Asks where posts to an endpoint may start, null for nowhere: one read for all that ask within half a second. */
export function createPostGate(endpoint: EndpointRecord): () => Promise<PostTarget | null> {
  let asked: Promise<PostTarget | null> = Promise.resolve(null);
  let askedAt = Number.NEGATIVE_INFINITY;

  return async () => {
    if (performance.now() - askedAt > maxAgeMs) {
      askedAt = performance.now();
      asked = findTarget(endpoint);
    }
    return await asked;
  };
}

async function findTarget({ organizationId, mode, webhookId }: EndpointRecord): Promise<PostTarget | null> {
  if (webhookId === null) return { url: null };
  // The url of this moment: what waited while its owner moved it goes to the new one.
  return await Webhook.findOne({ _id: webhookId, organizationId, mode, deletedAt: null, status: 'active' })
    .select({ _id: 0, url: 1 })
    .lean<Pick<WebhookRecord, 'url'>>();
}
