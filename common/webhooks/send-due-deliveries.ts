import { type Claim, finishClaim, reloadClaim } from '../platform/due-work.ts';
import type { KeyRing } from '../secrets.ts';
import type { DeliveryRecord } from './delivery.model.ts';
import { discardWaiting, findNextDue, takeBatch } from './delivery-batch.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { createPostGate } from './post-gate.ts';
import type { WebhookSender } from './post-signed.ts';
import { type Attempt, type RecordDeps, recordAttempts } from './record-attempts.ts';
import { signatureHeaders } from './signature.ts';
import { findSigningSecrets } from './signing-secrets.ts';

/** Posts of one endpoint under way at once. */
const maxInFlight = 10;

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
  while (!signal.aborted) {
    // Read before the batch: a delivery that is added after this raises the version, and finishing fails.
    const current = await reloadClaim(claim);
    if (!current) return;
    const secrets = await findSigningSecrets(current.row, deps.keyRing);
    if (!secrets) await discardWaiting(claim.id, deps.clock.now());
    const batch = secrets ? await takeBatch(current, deps.clock.now()) : [];
    if (secrets && batch.length > 0) {
      await recordAttempts(current, await postAll(current.row, batch, secrets, deps, signal), deps);
      continue;
    }
    const nextAt = await findNextDue(claim.id);
    if (await finishClaim(current, { nextAt })) return;
  }
}

/** Posts a batch in its order, ten at a time. One that was not started because of `signal` has no attempt. */
async function postAll(
  endpoint: EndpointRecord,
  batch: readonly DeliveryRecord[],
  secrets: readonly string[],
  deps: DeliveryDeps,
  signal: AbortSignal,
): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  const queue = batch.values();
  const gate = createPostGate(endpoint);
  const sendNext = async () => {
    // The iterator is shared: each of the ten takes the next row when it is free.
    for (const delivery of queue) {
      if (signal.aborted) return;
      attempts.push(await postOne(delivery, secrets, deps, { mayPost: gate, signal }));
    }
  };
  await Promise.all(Array.from({ length: maxInFlight }, sendNext));

  return attempts;
}

async function postOne(
  delivery: DeliveryRecord,
  secrets: readonly string[],
  { sender, clock }: DeliveryDeps,
  { mayPost, signal }: { mayPost: () => Promise<boolean>; signal: AbortSignal },
): Promise<Attempt> {
  const startedAt = clock.now();
  if (!(await mayPost())) return { delivery, startedAt, answer: null };
  const body = Buffer.from(delivery.body);
  const attempt = delivery.attempt + 1;
  const headers = signatureHeaders({
    secrets,
    deliveryId: delivery._id,
    attempt,
    event: delivery.event,
    body,
    at: startedAt,
  });
  const answer = await sender.post({ url: delivery.url, headers, body, beforeWrite: mayPost, signal });
  const wasStopped = answer.outcome === 'error' && answer.errorClass === 'cancelled';

  return { delivery, startedAt, answer: wasStopped ? null : answer };
}
