import { AppError } from '../errors.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';
import type { CreatedMailJob, MailOrder } from './mail-order.ts';
import { hashMailRequest } from './request-hash.ts';

/**
 * The earlier job of a request that was sent before: same externalId, or, without one, same Idempotency-Key.
 * An externalId keeps its job whatever the payload; an Idempotency-Key with another body throws IDEMPOTENCY_MISMATCH.
 */
export async function findRepeat({ request, idempotencyKey, owner }: MailOrder): Promise<CreatedMailJob | null> {
  const { organizationId, mode } = owner;
  const { externalId } = request;
  if (externalId == null && idempotencyKey === null) return null;
  const key = externalId == null ? { idempotencyKey: idempotencyKey as string } : { externalId };
  // Only what no failover can take back: the caller will not send it again.
  const job = await MailJob.findOne({ organizationId, mode, ...key })
    .read('primary')
    .readConcern('majority')
    .lean<MailJobRecord>();
  if (!job) return null;
  const payloadMatches = job.requestHash === hashMailRequest(request);
  if (externalId == null && !payloadMatches) throw new AppError('IDEMPOTENCY_MISMATCH');

  return { job, isNew: false, payloadMatches };
}
