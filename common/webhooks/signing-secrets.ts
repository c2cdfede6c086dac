import { openJobWebhookSecrets } from '../organizations/create-organization.ts';
import { Organization, type OrganizationRecord } from '../organizations/organization.model.ts';
import type { KeyRing } from '../secrets.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from './webhook.model.ts';

/** A secret in the clear; `until` is when a rotation ends it, null for the current one. */
export type SigningSecret = { secret: string; until: Date | null };

/** What signs an endpoint's deliveries, the current secret first; null when nothing may be sent to it any more. */
export async function findSigningSecrets(endpoint: EndpointRecord, keyRing: KeyRing): Promise<SigningSecret[] | null> {
  const { organizationId, mode, webhookId } = endpoint;
  if (webhookId === null) {
    const organization = await Organization.findById(organizationId).orFail().lean<OrganizationRecord>();
    return [{ secret: openJobWebhookSecrets(organization, keyRing)[mode], until: null }];
  }
  const webhook = await Webhook.findOne({ _id: webhookId, organizationId, mode, deletedAt: null, status: 'active' })
    .select({ secret: 1, previousSecret: 1 })
    .lean<Pick<WebhookRecord, 'secret' | 'previousSecret'>>();
  if (!webhook) return null;
  const open = (sealed: string) => keyRing.decrypt(sealed, webhookSecretContext(webhookId));
  const { secret, previousSecret } = webhook;
  const current = { secret: open(secret), until: null };
  return previousSecret ? [current, { secret: open(previousSecret.sealed), until: previousSecret.until }] : [current];
}

/** Those that sign at this moment. A batch may take minutes, in which an overlap may end. */
export function secretsAt(secrets: readonly SigningSecret[], at: Date): string[] {
  return secrets.flatMap(({ secret, until }) => (until === null || at < until ? [secret] : []));
}
