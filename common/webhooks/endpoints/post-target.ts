import { findEndedGrants } from '#common/access/live-grants.ts';
import type { Clock } from '#common/clock.ts';
import {
  jobWebhookSecretContext,
  Organization,
  type OrganizationRecord,
  type PreviousSecret,
} from '#common/organizations/organization.model.ts';
import { createCachedReads } from '#common/platform/concurrency/cached-reads.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { KeyRing, Sealed } from '#common/secrets.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from '../registry/webhook.model.ts';
import type { EndpointRecord } from './endpoint.model.ts';

/** A decrypted secret. `until` is when a rotation ends it; null for the current one. */
type SigningSecret = { secret: string; until: Date | null };

/** Which deliveries of an endpoint may be sent, where to, and the secrets that sign them. */
export type PostTarget = {
  /** False when the webhook is disabled or deleted. */
  isOpen: boolean;
  /** Epoch of the webhook; 0 for the address of a single mail job. */
  epoch: number;
  /** Null when each delivery has its own URL. */
  url: string | null;
  /** Current secret first. */
  secrets: readonly SigningSecret[];
};

/** Returns the last epoch whose deliveries must be discarded. */
export function endedEpoch({ isOpen, epoch }: Pick<PostTarget, 'isOpen' | 'epoch'>): number {
  return isOpen ? epoch - 1 : epoch;
}

/** Reads the current target of an endpoint. */
export async function findPostTarget(endpoint: EndpointRecord, keyRing: KeyRing): Promise<PostTarget> {
  const { organizationId, mode, webhookId } = endpoint;
  if (webhookId === null) {
    const organization = await Organization.findById(organizationId).orFail().lean<OrganizationRecord>();
    const { jobWebhookSecret, previousJobWebhookSecret } = organization;
    const sealed = { secret: jobWebhookSecret[mode], previousSecret: previousJobWebhookSecret?.[mode] };
    const secrets = openSecrets(sealed, jobWebhookSecretContext(organizationId, mode), keyRing);
    return { isOpen: true, epoch: 0, url: null, secrets };
  }
  // The current URL: deliveries that waited while the owner changed it go to the new one.
  const webhook = await rowsOf<WebhookRecord>(Webhook).findOne(
    { _id: webhookId, organizationId, mode },
    { projection: { _id: 0, url: 1, secret: 1, previousSecret: 1, status: 1, epoch: 1, deletedAt: 1 } },
  );
  if (!webhook || webhook.deletedAt !== null || webhook.status !== 'active') {
    return { isOpen: false, epoch: webhook ? webhook.epoch : Number.MAX_SAFE_INTEGER, url: null, secrets: [] };
  }
  const secrets = openSecrets(webhook, webhookSecretContext(webhookId), keyRing);
  return { isOpen: true, epoch: webhook.epoch, url: webhook.url, secrets };
}

function openSecrets(
  { secret, previousSecret }: { secret: Sealed; previousSecret?: PreviousSecret | null | undefined },
  context: string,
  keyRing: KeyRing,
): SigningSecret[] {
  const current = { secret: keyRing.decrypt(secret, context), until: null };
  if (!previousSecret) return [current];
  return [current, { secret: keyRing.decrypt(previousSecret.sealed, context), until: previousSecret.until }];
}

/** Returns the secrets valid at `at`. A rotation overlap may end while a batch is being sent. */
export function secretsAt(secrets: readonly SigningSecret[], at: Date): string[] {
  return secrets.flatMap(({ secret, until }) => (until === null || at < until ? [secret] : []));
}

/** Maximum age of a cached target. `waitForPosts` waits this long for workers to see a change of a webhook. */
export const targetMaxAgeMs = 500;

/** Returns the target of an endpoint as it was at most `maxAgeMs` ago (default `targetMaxAgeMs`); 0 forces a read. */
export type TargetLookup = (maxAgeMs?: number) => Promise<PostTarget>;

/** Creates a cached look-up of an endpoint's target. */
export function createTargetLookup(endpoint: EndpointRecord, keyRing: KeyRing): TargetLookup {
  const reads = createCachedReads<PostTarget>({ maxAgeMs: targetMaxAgeMs });
  return (maxAgeMs) => reads.get('', () => findPostTarget(endpoint, keyRing), { maxAgeMs });
}

/** Creates a cached look-up of whether grants have ended. Rejects when that is unknown. */
export function createEndedLookup(clock: Clock): (grantId: string) => Promise<boolean> {
  const reads = createCachedReads<boolean>({ maxAgeMs: targetMaxAgeMs });
  return (id) => reads.get(id, async () => (await findEndedGrants([id], clock.now())).has(id));
}
