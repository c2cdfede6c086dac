import { findDefaultSender } from '../addresses/find-default-sender.ts';
import { AppError, invalid } from '../errors.ts';
import { newId, newIdAt } from '../ids.ts';
import { splitCents } from '../money.ts';
import { newDue } from '../platform/due-work.ts';
import type { Hints } from '../platform/queues.ts';
import type { ObjectStore } from '../platform/s3.ts';
import { type CheckedUploads, checkUploads } from '../uploads/check-uploads.ts';
import { readWallet } from '../wallet/wallets.ts';
import type { TargetUrlCheck } from '../webhooks/create-webhook.ts';
import { commitMailJob } from './commit-mail-jobs.ts';
import { planDrop } from './drop-time.ts';
import { findRepeat } from './find-repeat.ts';
import type { MailJobRecord, MailWarning } from './mail-job.model.ts';
import type { CreatedMailJob, MailOrder } from './mail-order.ts';
import type { MailRequest } from './mail-request.schema.ts';
import { metadataFields } from './metadata.schema.ts';
import { quote } from './quote.ts';
import { hashMailRequest } from './request-hash.ts';
import { resolveAddresses } from './resolve-addresses.ts';

/** The webhook goes first: a rendering begins with a child process, which would take its processor away. */
const renderDelayMs = 100;

export type CreateDeps = { store: ObjectStore; hints: Hints; checkTargetUrl: TargetUrlCheck };

/**
 * Takes a letter in: stores the job, debits the wallet and promises MAIL_QUEUED, or does nothing at all.
 * A repeat of an earlier request is answered before anything else is looked at, so an honest retry never fails.
 */
export async function createMailJob(order: MailOrder, deps: CreateDeps, at: Date): Promise<CreatedMailJob> {
  const repeat = await findRepeat(order);
  if (repeat) return repeat;

  const { job, uploads } = await prepareMailJob(order, deps, at);
  const { created, eventId } = await commitMailJob({ job, uploads, order });
  // After the commit, and only as a hint: what gets lost here is found in the database within a second.
  if (eventId !== null) deps.hints.nudge('fan-out', [eventId]);
  if (created.isNew) deps.hints.nudge('render', [job._id], renderDelayMs);

  return created;
}

/** What a dry run answers: the job as it would be, and whether the wallet would pay for it. Stores nothing. */
export async function dryRunMailJob(order: MailOrder, deps: CreateDeps, at: Date) {
  const { job } = await prepareMailJob(order, deps, at);
  const { balanceCents } = await readWallet(order.owner);
  return { job, isBalanceSufficient: balanceCents >= job.amounts.totalCents };
}

/** All that can be refused without a transaction: times, addresses, files, price. */
async function prepareMailJob({ request, idempotencyKey, owner, requestId }: MailOrder, deps: CreateDeps, at: Date) {
  const drop = planDrop(request.scheduledDropAt, at);
  await assertTarget(request.webhookUrl, deps.checkTargetUrl);
  const { recipients, sender } = await resolveAddresses(request, owner);
  // Side by side: neither needs the other, and a letter alone waits for each round trip.
  const [uploads, from] = await Promise.all([
    checkUploads(owner, request.files, deps.store, at),
    sender ?? findDefaultSender(owner),
  ]);
  assertPageCount(request.pages, uploads);
  const { amounts } = await quote(request, at);
  if (request.maxTotalCents != null && amounts.totalCents > request.maxTotalCents) {
    const message = `The price is now ${amounts.totalCents} cents, above maxTotalCents. Ask for a new quote.`;
    throw new AppError('PRICE_CHANGED', { message });
  }
  const shares = splitCents(amounts.totalCents, recipients.length);
  const { organizationId, mode } = owner;
  const job: MailJobRecord = {
    _id: newIdAt('mj', at),
    organizationId,
    mode,
    ...(request.externalId != null && { externalId: request.externalId }),
    // With an externalId, that alone decides.
    ...(request.externalId == null && idempotencyKey !== null && { idempotencyKey }),
    requestHash: hashMailRequest(request),
    ...(requestId !== undefined && { requestId }),
    status: 'queued',
    zone: request.zone,
    serviceType: request.serviceType,
    pages: request.pages,
    color: request.color ?? false,
    acknowledgmentReceipt: request.acknowledgmentReceipt ?? false,
    ...drop,
    sender: from,
    items: recipients.map((recipient, index) => ({
      itemId: newId('mi'),
      ...recipient,
      status: 'queued',
      shareCents: shares[index] ?? 0,
    })),
    files: uploads.files,
    webhookUrl: request.webhookUrl ?? null,
    ...metadataFields(request.metadata),
    amounts,
    refundedCents: 0,
    warnings: findWarnings(request),
    failure: null,
    printFile: null,
    renderFailure: null,
    // A sandbox job's first step is planned when its print file is made.
    due: { render: newDue(at) },
    queuedAt: at,
    printedAt: null,
    postedAt: null,
    deliveredAt: null,
    failedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  return { job, uploads: uploads.uploads };
}

async function assertTarget(url: string | null | undefined, check: TargetUrlCheck): Promise<void> {
  const problems = url == null ? [] : await check(url);
  if (problems.length === 0) return;
  throw new AppError('VALIDATION_ERROR', { issues: problems.map((message) => ({ path: ['webhookUrl'], message })) });
}

function assertPageCount(pages: number, { pageCount }: CheckedUploads): void {
  if (pageCount === null || pageCount === pages) return;
  throw invalid(['pages'], `The files have ${pageCount} pages, not ${pages}.`);
}

function findWarnings({ acknowledgmentReceipt, serviceType }: MailRequest): MailWarning[] {
  if (acknowledgmentReceipt !== true || serviceType === 'registered') return [];
  const message = 'Only a registered letter has an acknowledgment of receipt: it has no effect and costs nothing.';
  return [{ code: 'ACKNOWLEDGMENT_RECEIPT_IGNORED', path: ['acknowledgmentReceipt'], message }];
}
