import type { KeyRing } from '../secrets.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { findSigningSecrets, type SigningSecret } from './signing-secrets.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';

/** How old the knowledge that a webhook is active may be. A deletion outwaits it while a worker holds the endpoint. */
export const gateAgeMs = 500;

/** Where an endpoint's deliveries go now, and what signs them; `url` is null where each brings its own. */
export type PostTarget = { url: string | null; secrets: readonly SigningSecret[] };

/** Asks where posts to an endpoint may start, null for nowhere: one look for all that ask within half a second. */
export function createPostGate(endpoint: EndpointRecord, keyRing: KeyRing): () => Promise<PostTarget | null> {
  let asked: Promise<PostTarget | null> = Promise.resolve(null);
  let askedAt = Number.NEGATIVE_INFINITY;

  return async () => {
    if (performance.now() - askedAt > gateAgeMs) {
      askedAt = performance.now();
      asked = findTarget(endpoint, keyRing);
    }
    return await asked;
  };
}

async function findTarget(endpoint: EndpointRecord, keyRing: KeyRing): Promise<PostTarget | null> {
  const [webhook, secrets] = await Promise.all([findUrl(endpoint), findSigningSecrets(endpoint, keyRing)]);
  return webhook && secrets && { url: webhook.url, secrets };
}

async function findUrl({ organizationId, mode, webhookId }: EndpointRecord): Promise<{ url: string | null } | null> {
  if (webhookId === null) return { url: null };
  // The url of this moment: what waited while its owner moved it goes to the new one.
  return await Webhook.findOne({ _id: webhookId, organizationId, mode, deletedAt: null, status: 'active' })
    .select({ _id: 0, url: 1 })
    .lean<Pick<WebhookRecord, 'url'>>();
}
