import { creatorOf } from '#common/audit/created-by.ts';
import { newId, newIdAt } from '#common/ids.ts';
import { splitCents } from '#common/money.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { stepOnClock } from '#common/sandbox/steps/letter-moments.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import { metadataFields } from '../model/metadata.schema.ts';
import type { Hashed, ReadySendRequest } from '../model/send-request.ts';
import type { CheckedRequest } from './check-send-request.ts';

/** Returns the mail job of a request that was checked at `at`. */
export function newMailJob(
  { body, idempotencyKey, owner, credential, requestId, requestHashes, template }: ReadySendRequest & Hashed,
  { clock, letterAt, drop, recipients, sender, uploads, amounts, warnings }: CheckedRequest,
  at: Date,
): MailJobRecord {
  const shares = splitCents(amounts.totalCents, recipients.length);
  const { organizationId, mode } = owner;
  const job: MailJobRecord = {
    _id: newIdAt('mj', at),
    organizationId,
    mode,
    ...(body.externalId != null && { externalId: body.externalId }),
    // With an externalId, the Idempotency-Key is ignored.
    ...(body.externalId == null && idempotencyKey !== null && { idempotencyKey }),
    requestHash: requestHashes[0] ?? '',
    credentialId: credential.id,
    ...creatorOf(credential.actor),
    ...(requestId !== undefined && { requestId }),
    status: 'queued',
    zone: body.zone,
    serviceType: body.serviceType,
    pages: body.pages,
    color: body.color ?? false,
    ...(body.doubleSided === false && { doubleSided: false }),
    acknowledgmentReceipt: body.acknowledgmentReceipt ?? false,
    ...drop,
    sender,
    items: recipients.map((recipient, index) => ({
      itemId: newId('mi'),
      ...recipient,
      status: 'queued',
      shareCents: shares[index] ?? 0,
    })),
    files: uploads.files,
    ...(template && { template }),
    webhookUrl: body.webhookUrl ?? null,
    ...metadataFields(body.metadata),
    amounts,
    refundedCents: 0,
    warnings,
    failure: null,
    printFile: null,
    renderFailure: null,
    // The first step of a sandbox job is scheduled when its print file is ready.
    due: { render: newDue(at), ...(mode === 'live' && { batch: newDue(drop.closesAt) }) },
    queuedAt: letterAt,
    printedAt: null,
    postedAt: null,
    deliveredAt: null,
    failedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  return { ...job, ...stepOnClock({ ...job, clock }) };
}
