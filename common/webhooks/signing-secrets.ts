import { openJobWebhookSecrets } from '../organizations/create-organization.ts';
import { Organization, type OrganizationRecord } from '../organizations/organization.model.ts';
import { rowsOf } from '../platform/mongo.ts';
import type { KeyRing } from '../secrets.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from './webhook.model.ts';

/** A secret in the clear; `until` is when a rotation ends it, null for the current one. */
export type SigningSecret = { secret: string; until: Date | null };

/** Where an endpoint's deliveries go now, and what signs them; `url` is null where each brings its own. */
export type PostTarget = {
  url: string | null;
  /** The current one first. */
  secrets: readonly SigningSecret[];
};

/** Looks where deliveries of an endpoint go at this moment; null when nothing may be sent to it any more. */
export async function findPostTarget(endpoint: EndpointRecord, keyRing: KeyRing): Promise<PostTarget | null> {
  const { organizationId, mode, webhookId } = endpoint;
  if (webhookId === null) {
    const organization = await Organization.findById(organizationId).orFail().lean<OrganizationRecord>();
    return { url: null, secrets: [{ secret: openJobWebhookSecrets(organization, keyRing)[mode], until: null }] };
  }
  // The url of this moment: what waited while its owner moved it goes to the new one.
  const webhook = await rowsOf<WebhookRecord>(Webhook).findOne(
    { _id: webhookId, organizationId, mode, deletedAt: null, status: 'active' },
    { projection: { _id: 0, url: 1, secret: 1, previousSecret: 1 } },
  );
  if (!webhook) return null;
  const open = (sealed: string) => keyRing.decrypt(sealed, webhookSecretContext(webhookId));
  const { url, secret, previousSecret } = webhook;
  const current = { secret: open(secret), until: null };
  const previous = previousSecret && { secret: open(previousSecret.sealed), until: previousSecret.until };
  return { url, secrets: previous ? [current, previous] : [current] };
}

/** Those that sign at this moment. A batch may take minutes, in which an overlap may end. */
export function secretsAt(secrets: readonly SigningSecret[], at: Date): string[] {
  return secrets.flatMap(({ secret, until }) => (until === null || at < until ? [secret] : []));
}
