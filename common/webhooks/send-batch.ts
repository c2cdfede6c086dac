import type { Claim } from '../platform/due-work.ts';
import type { DeliveryRecord } from './delivery.model.ts';
import { giveBack } from './delivery-batch.ts';
import type { DeliveryTurn } from './delivery-turn.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import type { Attempt } from './record-attempts.ts';
import { signatureHeaders } from './signature.ts';
import { secretsAt } from './signing-secrets.ts';
import { testHeaders } from './test-headers.ts';

/** Posts of one endpoint under way at once. */
export const maxInFlight = 10;

export type BatchToSend = {
  claim: Claim<EndpointRecord>;
  deliveries: readonly DeliveryRecord[];
  /** Posts under way at once, `maxInFlight` at most. */
  lanes: number;
  turn: DeliveryTurn;
};

/**
 * Posts a batch in its order, by which `take-back-leftovers` knows what a dead worker had begun, a few at a time. A
 * lane posts again only when its last attempt is on record, so no more than the lanes is ever repeated. What was not
 * started when the turn is over is given back, without waiting for what is under way.
 */
export async function sendBatch(batch: BatchToSend): Promise<void> {
  const { claim, deliveries, lanes, turn } = batch;
  const queue = deliveries.values();
  const returns: Promise<void>[] = [];
  const returnRest = (first: readonly DeliveryRecord[] = []) => {
    const returned = giveBack([...first, ...queue], claim.token);
    // Awaited below.
    returned.catch(() => {});
    returns.push(returned);
  };

  const sendNext = async () => {
    // The iterator is shared: each lane takes the next row when it is free.
    for (const delivery of queue) {
      if (turn.isOver()) {
        returnRest([delivery]);
        continue;
      }
      const attempt = await postOne(delivery, batch);
      const recorded = turn.deps.recorder.record(attempt);
      // Before the record is through: the other lanes must not start what the endpoint has just shown not to take.
      await Promise.all([recorded, turn.learn(attempt)]);
    }
  };
  const onClosing = () => returnRest();
  turn.closing.addEventListener('abort', onClosing, { once: true });
  // All lanes end before the lease is given back, whatever happens to one of them.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, sendNext));
  turn.closing.removeEventListener('abort', onClosing);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  await Promise.all(returns);
}

async function postOne(delivery: DeliveryRecord, { claim, turn }: BatchToSend): Promise<Attempt> {
  const { sender, clock, log, metrics } = turn.deps;
  const { token } = claim;
  const startedAt = clock.now();
  const target = await turn.findTarget().catch((error: unknown) => {
    log.warn({ err: error, deliveryId: delivery._id }, 'not posted: whether its webhook is active is not known');
    return 'unknown' as const;
  });
  // Told to end while it looked: nothing is begun any more.
  if (target === 'unknown' || turn.closing.aborted) return { delivery, token, startedAt, answer: 'undecided' };
  if (!target) return { delivery, token, startedAt, answer: 'unwanted' };

  const body = Buffer.from(delivery.body);
  const attempt = delivery.attempt + 1;
  const { _id: deliveryId, event } = delivery;
  const secrets = secretsAt(target.secrets, startedAt);
  const extra = testHeaders(delivery);
  const headers = signatureHeaders({ secrets, deliveryId, attempt, event, body, at: startedAt, extra });
  const url = target.url ?? delivery.url;
  const beforeWrite = async () => {
    const current = await turn.findTarget();
    // Not to be answered: what was not posted for reasons of ours is posted again.
    if (current && current.url !== target.url) throw new Error('To be sent elsewhere');
    if (current && !isSameList(secretsAt(current.secrets, startedAt), secrets)) throw new Error('To be signed anew');
    return current !== null;
  };
  metrics.inFlight.inc();
  const answer = await sender.post({ url, headers, body, beforeWrite, signal: turn.signal });
  metrics.inFlight.dec();
  const wasCancelled = answer.outcome === 'error' && answer.errorClass === 'cancelled';

  return { delivery, token, startedAt, url, answer: wasCancelled ? 'unwanted' : answer };
}

const isSameList = (left: readonly string[], right: readonly string[]) => left.join() === right.join();
