import type { AuditActor } from '../audit/audit.model.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Mode } from '../modes.ts';
import type { KeyRing } from '../secrets.ts';
import { decryptJobWebhookSecrets } from './create-organization.ts';
import { readOrganization } from './read-organizations.ts';

/**
 * Returns the job-webhook secrets of an organization to show one to a person, or both if `mode` is null. Records this
 * in the audit log before it returns them. Throws NOT_FOUND.
 */
export async function revealJobWebhookSecrets(
  organizationId: string,
  mode: Mode | null,
  { keyRing }: { keyRing: KeyRing },
  at: Date,
  by: AuditActor,
): Promise<Record<Mode, string>> {
  const organization = await readOrganization(organizationId);
  const entry = { action: 'job-webhook-secret.revealed', subjectId: organizationId, organizationId, mode } as const;
  await recordAudit(entry, by, at);

  return decryptJobWebhookSecrets(organization, keyRing);
}
