import type { EndpointRecord } from './endpoint.model.ts';
import { Webhook } from './webhook.model.ts';

/** How old the knowledge that a webhook is active may be. A deletion waits four times as long before it answers. */
const maxAgeMs = 500;

/** Asks whether posts to an endpoint may still start: one read for all that ask within half a second. */
export function createPostGate(endpoint: EndpointRecord): () => Promise<boolean> {
  let asked = Promise.resolve(true);
  let askedAt = Number.NEGATIVE_INFINITY;

  return async () => {
    if (performance.now() - askedAt > maxAgeMs) {
      askedAt = performance.now();
      asked = mayPost(endpoint);
    }
    return await asked;
  };
}

async function mayPost({ organizationId, mode, webhookId }: EndpointRecord): Promise<boolean> {
  if (webhookId === null) return true;
  return (await Webhook.exists({ _id: webhookId, organizationId, mode, deletedAt: null, status: 'active' })) !== null;
}
