import { isOfTest } from '#common/events/event.model.ts';
import type { PauseView } from '#common/platform/due-work/pauses.ts';
import { isTracing, startSpan } from '#common/platform/spans/tracing.ts';
import { type Attempt, receiverAnswer } from '../deliveries/attempt-recorder.ts';
import { consentEnded, type DeliveryRecord } from '../deliveries/delivery.model.ts';
import { type DeliveryAnswer, isAccepted } from '../egress/delivery-answer.ts';
import { signatureHeaders } from '../egress/signature.ts';
import { deliveryWork } from '../endpoints/endpoint.model.ts';
import { endedEpoch, type PostTarget, secretsAt } from '../endpoints/post-target.ts';
import type { EndpointSession } from './endpoint-session.ts';

/**
 * Posts one delivery under the lease `token` of its endpoint, which could take it since `freeSince`. Never rejects: an error
 * becomes the answer.
 */
export async function postDelivery(
  delivery: DeliveryRecord,
  token: string,
  session: EndpointSession,
  freeSince: Date,
): Promise<Attempt> {
  const { webhookClient, clock, log, metrics } = session.deps;
  const startedAt = clock.now();
  const target = await findTarget(delivery, session).catch((error: unknown) => {
    log.warn({ err: error, deliveryId: delivery._id }, 'delivery not posted: status of its webhook unknown');
    return 'unknown' as const;
  });
  // `closing` may have fired during the look-up: no post starts after that.
  const isHeld = await session.isHeld().catch(() => true);
  if (target === 'unknown' || isHeld || session.closing.aborted)
    return { delivery, token, startedAt, answer: 'undecided' };
  // Nothing but the end of a consent closes the address of a single mail job.
  const refusal = delivery.grantId === undefined ? 'unwanted' : consentEnded;
  if (!isWanted(delivery, target)) return { delivery, token, startedAt, answer: refusal };

  const body = Buffer.from(delivery.body);
  const attempt = delivery.attempt + 1;
  const { _id: deliveryId, event } = delivery;
  const secrets = secretsAt(target.secrets, startedAt);
  const extra = testHeaders(delivery);
  const headers = signatureHeaders({ secrets, deliveryId, attempt, event, body, at: startedAt, extra });
  const url = target.url ?? delivery.url;
  const beforeWrite = async () => {
    const current = await findTarget(delivery, session);
    if (!isWanted(delivery, current)) return false;
    // Throw instead of returning false: the delivery is still wanted and must be posted again.
    if (current.url !== target.url) throw new Error('The webhook has another URL now');
    if (!isSameList(secretsAt(current.secrets, startedAt), secrets))
      throw new Error('The webhook has another secret now');
    return true;
  };
  metrics.inFlight.inc();
  // The receiver gets no `traceparent`: it would tell a third party how this installation samples and joins its work.
  const endSpan = startPostSpan(delivery, url);
  const answer = await webhookClient.post({ url, headers, body, beforeWrite, signal: session.signal });
  endSpan(answer);
  metrics.inFlight.dec();
  const wasCancelled = answer.outcome === 'error' && answer.errorClass === 'cancelled';

  const epoch = isAccepted(answer) ? undefined : await currentEpoch(session);
  const made: Attempt = {
    ...{ delivery, token, startedAt, url, answer: wasCancelled ? refusal : answer },
    ...(epoch !== undefined && { epoch }),
  };
  // Inconclusive attempts do not count and are retried.
  if (attempt === 1 && !delivery.isManual && receiverAnswer(made)) {
    const paused = session.deps.pauses.latest();
    metrics.firstAttempt.observe(waitedS(delivery, { freeSince, startedAt, paused }));
  }
  return made;
}

/**
 * Returns the seconds that a delivery waited for this service: from its event, or from `freeSince` when its endpoint could
 * not take it at first, because it was paused or its receiver was busy with others. Leaves
 * out pauses by an operator.
 */
function waitedS(
  { organizationId, eventAt, createdAt }: DeliveryRecord,
  { freeSince, startedAt, paused }: { freeSince: Date; startedAt: Date; paused: PauseView },
): number {
  const from = freeSince > createdAt ? freeSince : eventAt;
  const heldMs = paused.endedMsSince(deliveryWork.queue, organizationId, from);
  return Math.max(0, startedAt.getTime() - from.getTime() - heldMs) / 1_000;
}

/** Starts the span of a post. Of its URL it has only the origin: paths and queries may hold secrets. */
function startPostSpan({ _id, attempt, traceparent }: DeliveryRecord, url: string): (answer: DeliveryAnswer) => void {
  if (!isTracing()) return () => {};
  const { protocol, hostname, port } = new URL(url);
  const span = startSpan('POST', {
    kind: 'client',
    parent: traceparent,
    attributes: {
      'http.request.method': 'POST',
      'url.scheme': protocol.slice(0, -1),
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'bluejay.delivery_id': _id,
      ...(attempt > 0 && { 'http.request.resend_count': attempt }),
    },
  });
  return (answer) => {
    if (answer.outcome === 'error') return span.end({ error: answer.errorClass });
    const { status } = answer;
    span.end({
      attributes: { 'http.response.status_code': status },
      ...(!isAccepted(answer) && { error: String(status) }),
    });
  };
}

/** Returns the current epoch of the webhook; undefined when it is disabled, deleted or unknown. */
async function currentEpoch(session: EndpointSession): Promise<number | undefined> {
  const target = await session.findTarget().catch(() => null);
  return target?.isOpen ? target.epoch : undefined;
}

/** Returns the target of a delivery, closed when the grant under which its URL was given has ended. */
async function findTarget({ epoch, grantId }: DeliveryRecord, session: EndpointSession): Promise<PostTarget> {
  const cached = await session.findTarget();
  // A newer epoch of the delivery shows that the webhook was re-enabled after the cached read.
  const target = epoch > cached.epoch ? await session.findTarget(0) : cached;
  return grantId !== undefined && (await session.hasEnded(grantId)) ? { ...target, isOpen: false } : target;
}

/** Marks the delivery of a ping, so receivers can tell it from an event. */
function testHeaders({ mailJobId }: DeliveryRecord): Record<string, string> {
  return isOfTest(mailJobId) ? { 'X-Service-Test': 'true' } : {};
}

const isWanted = ({ epoch }: DeliveryRecord, target: PostTarget) => target.isOpen && epoch > endedEpoch(target);

const isSameList = (left: readonly string[], right: readonly string[]) => left.join() === right.join();
