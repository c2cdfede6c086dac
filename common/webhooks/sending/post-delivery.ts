import { isOfTest } from '#common/events/event.model.ts';
import type { Attempt } from '../deliveries/attempt-recorder.ts';
import type { DeliveryRecord } from '../deliveries/delivery.model.ts';
import { isAccepted } from '../egress/delivery-answer.ts';
import { signatureHeaders } from '../egress/signature.ts';
import { endedEpoch, type PostTarget, secretsAt } from '../endpoints/post-target.ts';
import type { EndpointSession } from './endpoint-session.ts';

/** Posts one delivery under the lease `token` of its endpoint. Never rejects: an error becomes the answer. */
export async function postDelivery(
  delivery: DeliveryRecord,
  token: string,
  session: EndpointSession,
): Promise<Attempt> {
  const { webhookClient, clock, log, metrics } = session.deps;
  const startedAt = clock.now();
  const target = await findTarget(delivery, session).catch((error: unknown) => {
    log.warn({ err: error, deliveryId: delivery._id }, 'delivery not posted: status of its webhook unknown');
    return 'unknown' as const;
  });
  // `closing` may have fired during the look-up: no post starts after that.
  if (target === 'unknown' || session.closing.aborted) return { delivery, token, startedAt, answer: 'undecided' };
  if (!isWanted(delivery, target)) return { delivery, token, startedAt, answer: 'unwanted' };

  const body = Buffer.from(delivery.body);
  const attempt = delivery.attempt + 1;
  const { _id: deliveryId, event } = delivery;
  const secrets = secretsAt(target.secrets, startedAt);
  const extra = pingHeaders(delivery);
  const headers = signatureHeaders({ secrets, deliveryId, attempt, event, body, at: startedAt, extra });
  const url = target.url ?? delivery.url;
  const beforeWrite = async () => {
    const current = await session.findTarget();
    if (!isWanted(delivery, current)) return false;
    // Throw instead of returning false: the delivery is still wanted and must be posted again.
    if (current.url !== target.url) throw new Error('The webhook has another URL now');
    if (!isSameList(secretsAt(current.secrets, startedAt), secrets))
      throw new Error('The webhook has another secret now');
    return true;
  };
  metrics.inFlight.inc();
  const answer = await webhookClient.post({ url, headers, body, beforeWrite, signal: session.signal });
  metrics.inFlight.dec();
  const wasCancelled = answer.outcome === 'error' && answer.errorClass === 'cancelled';

  const epoch = isAccepted(answer) ? undefined : await currentEpoch(session);
  const made = { delivery, token, startedAt, url, ...(epoch !== undefined && { epoch }) };

  return { ...made, answer: wasCancelled ? 'unwanted' : answer };
}

/** Returns the current epoch of the webhook; undefined when it is disabled, deleted or unknown. */
async function currentEpoch(session: EndpointSession): Promise<number | undefined> {
  const target = await session.findTarget().catch(() => null);
  return target?.isOpen ? target.epoch : undefined;
}

async function findTarget({ epoch }: DeliveryRecord, session: EndpointSession): Promise<PostTarget> {
  const target = await session.findTarget();
  // A newer epoch of the delivery shows that the webhook was re-enabled after the cached read.
  return epoch > target.epoch ? await session.findTarget(0) : target;
}

/** Marks the delivery of a ping, so receivers can tell it from an event. */
function pingHeaders({ mailJobId }: DeliveryRecord): Record<string, string> {
  return isOfTest(mailJobId) ? { 'X-Service-Test': 'true' } : {};
}

const isWanted = ({ epoch }: DeliveryRecord, target: PostTarget) => target.isOpen && epoch > endedEpoch(target);

const isSameList = (left: readonly string[], right: readonly string[]) => left.join() === right.join();
