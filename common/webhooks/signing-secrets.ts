import { openJobWebhookSecrets } from '../organizations/create-organization.ts';
import { Organization, type OrganizationRecord } from '../organizations/organization.model.ts';
import type { KeyRing } from '../secrets.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from './webhook.model.ts';

/** What signs an endpoint's deliveries, the current secret first; null when nothing may be sent to it any more. */
export async function findSigningSecrets(endpoint: EndpointRecord, keyRing: KeyRing): Promise<string[] | null> {
  const { organizationId, mode, webhookId } = endpoint;
  if (webhookId === null) {
    const organization = await Organization.findById(organizationId).orFail().lean<OrganizationRecord>();
    return [openJobWebhookSecrets(organization, keyRing)[mode]];
  }
  const webhook = await Webhook.findOne({ _id: webhookId, organizationId, mode, deletedAt: null, status: 'active' })
    .select({ secret: 1 })
    .lean<Pick<WebhookRecord, 'secret'>>();
  return webhook && [keyRing.decrypt(webhook.secret, webhookSecretContext(webhookId))];
}
