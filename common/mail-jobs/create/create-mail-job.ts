import { findDefaultSender } from '#common/addresses/find-default-sender.ts';
import { creatorOf } from '#common/audit/created-by.ts';
import type { EnvelopeWindow } from '#common/config/variables.ts';
import { AppError, type Issue, invalid } from '#common/errors.ts';
import { newId, newIdAt } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { splitCents } from '#common/money.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { startLetter } from '#common/sandbox/clocks/letter-time.ts';
import { stepOnClock } from '#common/sandbox/steps/letter-moments.ts';
import { checkOutcome } from '#common/sandbox/steps/sandbox-outcomes.ts';
import type { Signer } from '#common/secrets.ts';
import type { CutoffRules } from '#common/services.ts';
import { type CheckedUploads, checkUploads } from '#common/uploads/check-uploads.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import type { TargetUrlCheck } from '#common/webhooks/registry/create-webhook.ts';
import { type MailJobRecord, type MailWarning, renderWork } from '../model/mail-job.model.ts';
import type { MailRequest } from '../model/mail-request.schema.ts';
import { metadataFields } from '../model/metadata.schema.ts';
import type { CreatedMailJob, Hashed, ReadySendRequest, SendRequest } from '../model/send-request.ts';
import { findRepeat } from './find-repeat.ts';
import { hashMailRequest } from './hash-mail-request.ts';
import type { MailCommitter } from './mail-committer.ts';
import { planDrop } from './plan-drop.ts';
import { quote } from './quote.ts';
import { resolveAddresses } from './resolve-addresses.ts';
import { warnOfReturns } from './warn-of-returns.ts';
import { warnOfSmallAddresses } from './warn-of-small-addresses.ts';

/** Rendering starts after the webhook delivery: its child process would compete for the CPU. */
export const renderDelayMs = 100;

export type CreateDeps = {
  store: ObjectStore;
  hints: Hints;
  checkTargetUrl: TargetUrlCheck;
  mailCommitter: Pick<MailCommitter, 'commit'>;
  envelopeWindow: EnvelopeWindow;
  cutoffs: CutoffRules;
  /** Hashes requests, see `hashMailRequest`. Null: they are never compared, and their letters have no hash. */
  requestSigner: Signer | null;
  /**
   * Makes the file of a request with a template. Throws VALIDATION_ERROR for an unknown template or faulty variables, and
   * SERVICE_UNAVAILABLE. Without it, requests with templates are refused.
   */
  resolveTemplate?: (sendRequest: SendRequest, at: Date) => Promise<ReadySendRequest>;
};

/**
 * Creates a mail job: stores it, debits the wallet and appends MAIL_QUEUED in one transaction. A repeat of an earlier
 * request is answered before any other check, so a retry of a successful request never fails.
 */
export async function createMailJob(given: SendRequest, deps: CreateDeps, at: Date): Promise<CreatedMailJob> {
  const sendRequest = withHashes(given, deps);
  const repeat = await findRepeat(sendRequest, deps.store);
  if (repeat) return repeat;

  const ready = await resolveContent(sendRequest, deps, at);
  const { job, uploads, guard } = await prepareMailJob(ready, deps, at);
  const { created, eventId } = await deps.mailCommitter.commit({ job, uploads, sendRequest, guard });
  // Hints are sent after the commit and may be lost: the scanner finds the work in the database within two seconds.
  if (eventId !== null) deps.hints.notify('fan-out', [eventId]);
  if (created.isNew) deps.hints.notify(renderWork.queue, [job._id], renderDelayMs);

  return created;
}

/**
 * Returns the job that a request would create, whether the balance covers it, and whether its sender is the default
 * entry of the address book. Stores nothing.
 */
export async function dryRunMailJob(sendRequest: SendRequest, deps: CreateDeps, at: Date) {
  const ready = await resolveContent(withHashes(sendRequest, deps), deps, at);
  const { job, isDefaultEntry } = await prepareMailJob(ready, deps, at);
  const { balanceCents } = await readWallet(sendRequest.owner);
  return { job, isDefaultEntry, isBalanceSufficient: balanceCents >= job.amounts.totalCents };
}

/** Returns a send request with its hashes. */
export function withHashes<Request extends SendRequest>(
  sendRequest: Request,
  { requestSigner }: Pick<CreateDeps, 'requestSigner'>,
): Request & Hashed {
  const requestHashes = requestSigner ? hashMailRequest(sendRequest.body, requestSigner) : [];
  return { ...sendRequest, requestSigner, requestHashes };
}

/** Builds the job and makes all checks that need no transaction: times, addresses, files, price. */
export async function prepareMailJob(sendRequest: ReadySendRequest & Hashed, deps: CreateDeps, at: Date) {
  const { body, idempotencyKey, owner, credential, requestId, template, warnings = [] } = sendRequest;
  const { letterAt, clock, guard } = await startLetter(owner, body.sandboxClockId, at);
  const drop = planDrop(body.scheduledDropAt, { serviceType: body.serviceType, now: letterAt }, deps.cutoffs);
  await assertTarget(body.webhookUrl, deps.checkTargetUrl);
  const { recipients, sender, issues } = await resolveAddresses(body, owner);
  // In parallel: they are independent, and each costs a round trip.
  const [uploads, { address: from, isEntry: isDefaultEntry }, returns] = await Promise.all([
    checkUploads(owner, body.files, deps.store, at),
    sender ? { address: sender, isEntry: false } : findDefaultSender(owner),
    warnOfReturns(owner, recipients),
  ]);
  assertPageCount(body.pages, uploads);
  const known = [...issues, ...findOutcomeIssues(recipients, owner)];
  const small = await warnOfSmallAddresses(sendRequest, { recipients, sender: from }, deps.envelopeWindow, known);
  const { amounts } = await quote(body, at);
  if (body.maxTotalCents != null && amounts.totalCents > body.maxTotalCents) {
    const message = `The price is now ${amounts.totalCents} cents, above maxTotalCents. Ask for a new quote.`;
    throw new AppError('PRICE_CHANGED', { message });
  }
  const shares = splitCents(amounts.totalCents, recipients.length);
  const { organizationId, mode } = owner;
  const job: MailJobRecord = {
    _id: newIdAt('mj', at),
    organizationId,
    mode,
    ...(body.externalId != null && { externalId: body.externalId }),
    // With an externalId, the Idempotency-Key is ignored.
    ...(body.externalId == null && idempotencyKey !== null && { idempotencyKey }),
    requestHash: sendRequest.requestHashes[0] ?? '',
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
    sender: from,
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
    warnings: [...findWarnings(body), ...warnings, ...small, ...returns],
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
  return { job: { ...job, ...stepOnClock({ ...job, clock }) }, uploads: uploads.uploads, isDefaultEntry, guard };
}

/** Returns the request with its files. A template is typeset only here, after repeats were answered. */
async function resolveContent(
  sendRequest: SendRequest & Hashed,
  { resolveTemplate }: CreateDeps,
  at: Date,
): Promise<ReadySendRequest & Hashed> {
  const { files, pages, templateId } = sendRequest.body;
  if (templateId !== undefined && resolveTemplate) {
    const { requestHashes, requestSigner } = sendRequest;
    return { ...(await resolveTemplate(sendRequest, at)), requestHashes, requestSigner };
  }
  if (!files || pages === undefined) throw invalid(['files'], 'Give files and their number of pages.');
  return { ...sendRequest, body: { ...sendRequest.body, files, pages } };
}

async function assertTarget(url: string | null | undefined, check: TargetUrlCheck): Promise<void> {
  const problems = url == null ? [] : await check(url);
  if (problems.length === 0) return;
  throw new AppError('VALIDATION_ERROR', { issues: problems.map((message) => ({ path: ['webhookUrl'], message })) });
}

function findOutcomeIssues(recipients: readonly { line1: string }[], { mode }: Owner): Issue[] {
  return recipients.flatMap((recipient, index) => {
    const message = checkOutcome(recipient, mode);
    return message === null ? [] : [{ path: ['recipients', index, 'line1'], message }];
  });
}

function assertPageCount(pages: number, { pageCount }: CheckedUploads): void {
  if (pageCount === null || pageCount === pages) return;
  throw invalid(['pages'], `The files have ${pageCount} pages, not ${pages}.`);
}

function findWarnings({
  acknowledgmentReceipt,
  serviceType,
}: Pick<MailRequest, 'acknowledgmentReceipt' | 'serviceType'>): MailWarning[] {
  if (acknowledgmentReceipt !== true || serviceType === 'registered') return [];
  const message = 'Only a registered letter has an acknowledgment of receipt: it has no effect and costs nothing.';
  return [{ code: 'ACKNOWLEDGMENT_RECEIPT_IGNORED', path: ['acknowledgmentReceipt'], message }];
}
