import { plusMs } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { type KeyRing, newWebhookSecret } from '../secrets.ts';
import { outwaitPosts } from './end-deliveries.ts';
import { readWebhook } from './read-webhook.ts';
import { Webhook, webhookSecretContext } from './webhook.model.ts';

const hourMs = 60 * 60 * 1_000;
/** Rotations of one webhook at the same moment: each must replace the secret that the one before has made. */
const maxRounds = 10;

export type Rotation = { secret: string; previousSecretUntil: string | null };

/**
 * Gives a webhook a new secret, shown this once; when this returns, every post that starts bears it. The one that it
 * had signs beside it for `overlapHours`, 0 to 24, and never again after that. At most two are alive: rotating during
 * an overlap ends the oldest at once, so that a secret that has leaked can always be replaced. Throws NOT_FOUND.
 */
export async function rotateSecret(
  owner: Owner,
  webhookId: string,
  overlapHours: number,
  { keyRing }: { keyRing: KeyRing },
  at: Date,
): Promise<Rotation> {
  const secret = newWebhookSecret();
  const sealed = keyRing.encrypt(secret, webhookSecretContext(webhookId));
  const until = overlapHours > 0 ? plusMs(at, overlapHours * hourMs) : null;
  for (let round = 0; round < maxRounds; round += 1) {
    const before = await readWebhook(owner, webhookId);
    const previousSecret = until && { sealed: before.secret, until };
    const { matchedCount } = await Webhook.updateOne(
      { _id: webhookId, deletedAt: null, secret: before.secret },
      { $set: { secret: sealed, previousSecret, updatedAt: at } },
    );
    if (matchedCount === 0) continue;
    await outwaitPosts(webhookId, at);
    return { secret, previousSecretUntil: until?.toISOString() ?? null };
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
}
