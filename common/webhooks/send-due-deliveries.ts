import { type Claim, finishClaim, reloadClaim } from '../platform/due-work.ts';
import type { KeyRing } from '../secrets.ts';
import type { DeliveryRecord } from './delivery.model.ts';
import { discardWaiting, findNextDue, takeBatch } from './delivery-batch.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { createPostGate } from './post-gate.ts';
import type { WebhookSender } from './post-signed.ts';
import { type Attempt, isGone, type RecordDeps, recordAttempts } from './record-attempts.ts';
import { signatureHeaders } from './signature.ts';
import { findSigningSecrets, type SigningSecret, secretsAt } from './signing-secrets.ts';
import { testHeaders } from './test-headers.ts';

/** Posts of one endpoint under way at once. */
const maxInFlight = 10;
/** Results are written down this many at a time, so that a worker that dies repeats few. */
const recordEvery = 10;
/** After this long an endpoint gives its place to one that waits, and is due again at once. */
const maxTurnMs = 30_000;

export type DeliveryDeps = RecordDeps & { sender: WebhookSender; keyRing: KeyRing };

/**
 * Sends what is due for a leased endpoint, batch by batch, until nothing is; then gives the endpoint back. A worker
 * that dies meanwhile leaves rows that the next one sends again: a receiver may see a delivery twice, under one id.
 */
export async function sendDueDeliveries(
  claim: Claim<EndpointRecord>,
  deps: DeliveryDeps,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  while (!signal.aborted) {
    // Read before the batch: a delivery that is added after this raises the version, and finishing fails.
    const current = await reloadClaim(claim);
    if (!current) return;
    const secrets = await findSigningSecrets(current.row, deps.keyRing);
    if (!secrets) await discardWaiting(claim.id, deps.clock.now(), true);
    const hasTime = performance.now() - startedAt < maxTurnMs;
    const batch = secrets && hasTime ? await takeBatch(current, deps.clock.now()) : [];
    if (secrets && batch.length > 0) {
      await sendBatch({ claim: current, batch, secrets, deps, signal });
      continue;
    }
    const nextAt = await findNextDue(claim.id);
    if (await finishClaim(current, { nextAt })) return;
  }
}

type Sending = {
  claim: Claim<EndpointRecord>;
  batch: readonly DeliveryRecord[];
  secrets: readonly SigningSecret[];
  deps: DeliveryDeps;
  signal: AbortSignal;
};

/** Posts a batch in its order, ten at a time. What was not started because of `signal` is left to the next worker. */
async function sendBatch(sending: Sending): Promise<void> {
  const { claim, batch, deps, signal } = sending;
  const queue = batch.values();
  const mayPost = createPostGate(claim.row);
  let unrecorded: Attempt[] = [];

  const record = async (isEnough: (attempts: readonly Attempt[]) => boolean) => {
    if (!isEnough(unrecorded)) return;
    const attempts = unrecorded;
    unrecorded = [];
    await recordAttempts(claim, attempts, deps);
  };
  const sendNext = async () => {
    // The iterator is shared: each of the ten takes the next row when it is free.
    for (const delivery of queue) {
      if (signal.aborted) return;
      const attempt = await postOne(delivery, sending, mayPost);
      // Not in one expression: the list to add to is the one of this moment, not that of before the post.
      unrecorded.push(attempt);
      await record((attempts) => attempts.length >= recordEvery || attempts.some(isGone));
    }
  };
  // All ten end before the lease is given back, whatever happens to one of them.
  const ends = await Promise.allSettled(Array.from({ length: maxInFlight }, sendNext));
  await record((attempts) => attempts.length > 0);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

async function postOne(
  delivery: DeliveryRecord,
  { secrets, deps: { sender, clock, log }, signal }: Sending,
  mayPost: () => Promise<boolean>,
): Promise<Attempt> {
  const startedAt = clock.now();
  const isWanted = await mayPost().catch((error: unknown) => {
    log.warn({ err: error, deliveryId: delivery._id }, 'not posted: whether its webhook is active is not known');
    return null;
  });
  if (isWanted !== true) return { delivery, startedAt, answer: isWanted === null ? 'undecided' : 'unwanted' };

  const body = Buffer.from(delivery.body);
  const attempt = delivery.attempt + 1;
  const { _id: deliveryId, event, url } = delivery;
  const signedBy = secretsAt(secrets, startedAt);
  const extra = testHeaders(delivery);
  const headers = signatureHeaders({ secrets: signedBy, deliveryId, attempt, event, body, at: startedAt, extra });
  const answer = await sender.post({ url, headers, body, beforeWrite: mayPost, signal });
  const wasStopped = answer.outcome === 'error' && answer.errorClass === 'cancelled';

  return { delivery, startedAt, answer: wasStopped ? 'unwanted' : answer };
}
