import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { type NewAuditEntry, recordAudit } from '#common/audit/record-audit.ts';
import { hourMs, plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import {
  jobWebhookSecretContext,
  Organization,
  type PreviousSecret,
} from '#common/organizations/organization.model.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import type { KeyClaim } from '#common/platform/idempotency/claim-key.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import { type KeyRing, newWebhookSecret, type Sealed } from '#common/secrets.ts';
import { recheckAfterMs } from '../egress/webhook-client.ts';
import { targetMaxAgeMs } from '../endpoints/post-target.ts';
import { readWebhook } from '../registry/read-webhooks.ts';
import { Webhook, webhookSecretContext } from '../registry/webhook.model.ts';
import { waitForPosts } from '../sending/wait-for-posts.ts';

/** Compare-and-set attempts under concurrent rotations of the same secret. */
const maxRounds = 10;

export type Rotation = { secret: string; previousSecretUntil: string | null };

type Request = {
  overlapHours: number;
  keyRing: KeyRing;
  at: Date;
  by: AuditActor | undefined;
  claim?: KeyClaim | undefined;
};

/** Storage of a secret that can be rotated. Secrets are encrypted. */
type SecretSlot = {
  /** Associated data that binds the encrypted secret to its row. */
  context: string;
  audit: Omit<NewAuditEntry, 'detail'>;
  read(): Promise<Sealed>;
  /** Replaces the secret `before` by compare-and-set; returns false when the row has another secret now. */
  replace(
    transaction: Transaction,
    before: Sealed,
    next: { secret: Sealed; previousSecret: PreviousSecret | null },
  ): Promise<boolean>;
  /** Waits until no post starts that is signed without the new secret. */
  waitForPosts(): Promise<void>;
};

/**
 * Replaces the secret of a webhook, finishes `claim` in the same transaction, and returns the new secret, which cannot be
 * read again. After this returns, the new secret signs every post that starts. The previous secret also signs for
 * `overlapHours`, 0 to 24. At most two secrets are valid: a rotation during an overlap ends the oldest at once, so a
 * leaked secret can always be replaced. Throws NOT_FOUND.
 */
export async function rotateSecret(
  owner: Owner,
  webhookId: string,
  overlapHours: number,
  { keyRing }: { keyRing: KeyRing },
  at: Date,
  by?: AuditActor,
  claim?: KeyClaim,
): Promise<Rotation> {
  const { organizationId, mode } = owner;
  const slot: SecretSlot = {
    context: webhookSecretContext(webhookId),
    audit: { action: 'webhook.secret-rotated', subjectId: webhookId, organizationId, mode },
    read: async () => (await readWebhook(owner, webhookId)).secret,
    async replace(session, before, next) {
      const row = { _id: webhookId, deletedAt: null, secret: before };
      const { matchedCount } = await Webhook.updateOne(row, { $set: { ...next, updatedAt: at } }, { session });
      return matchedCount === 1;
    },
    waitForPosts: async () => waitForPosts({ organizationId, endpointId: webhookId }),
  };
  return await rotate(slot, { overlapHours, keyRing, at, by, claim });
}

/**
 * Replaces the secret that signs deliveries to the `webhookUrl` of an organization's mail jobs in one mode, like
 * `rotateSecret`. Throws NOT_FOUND for an unknown organization.
 */
export async function rotateJobWebhookSecret(
  { organizationId, mode }: Owner,
  overlapHours: number,
  { keyRing }: { keyRing: KeyRing },
  at: Date,
  by?: AuditActor,
): Promise<Rotation> {
  const slot: SecretSlot = {
    context: jobWebhookSecretContext(organizationId, mode),
    audit: { action: 'job-webhook-secret.rotated', subjectId: organizationId, organizationId, mode },
    read: async () => (await readOrganization(organizationId)).jobWebhookSecret[mode],
    async replace(session, before, { secret, previousSecret }) {
      const row = { _id: organizationId, [`jobWebhookSecret.${mode}`]: before };
      const next = { [`jobWebhookSecret.${mode}`]: secret, [`previousJobWebhookSecret.${mode}`]: previousSecret };
      const { matchedCount } = await Organization.updateOne(row, { $set: next }, { session });
      return matchedCount === 1;
    },
    // Any number of endpoints use this secret, so polling each would cost more than this wait. A post can use a cached
    // target for `targetMaxAgeMs`, and is not checked again before its write within `recheckAfterMs`.
    waitForPosts: async () => sleep(targetMaxAgeMs + recheckAfterMs),
  };
  return await rotate(slot, { overlapHours, keyRing, at, by });
}

async function rotate(slot: SecretSlot, { overlapHours, keyRing, at, by, claim }: Request): Promise<Rotation> {
  const secret = newWebhookSecret();
  const sealed = keyRing.encrypt(secret, slot.context);
  const until = overlapHours > 0 ? plusMs(at, overlapHours * hourMs) : null;
  for (let round = 0; round < maxRounds; round += 1) {
    const before = await slot.read();
    const isReplaced = await inTransaction(async (transaction) => {
      const next = { secret: sealed, previousSecret: until && { sealed: before, until } };
      if (!(await slot.replace(transaction, before, next))) return false;
      await claim?.finish('', transaction);
      await recordAudit({ ...slot.audit, detail: { overlapHours } }, by, at, transaction);
      return true;
    });
    if (!isReplaced) continue;
    await slot.waitForPosts();
    return { secret, previousSecretUntil: until?.toISOString() ?? null };
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
}
