import { invalid } from '#common/errors.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { Signer } from '#common/secrets.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { renderWork } from '../model/mail-job.model.ts';
import type { CreatedMailJob, Hashed, ReadySendRequest, SendRequest } from '../model/send-request.ts';
import { type CheckDeps, checkSendRequest } from './check-send-request.ts';
import { findRepeat } from './find-repeat.ts';
import { hashMailRequest } from './hash-mail-request.ts';
import type { MailCommitter } from './mail-committer.ts';
import { newMailJob } from './new-mail-job.ts';

export type CreateDeps = CheckDeps & {
  hints: Hints;
  mailCommitter: Pick<MailCommitter, 'commit'>;
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
  const checked = await checkSendRequest(ready, deps, at);
  const job = newMailJob(ready, checked, at);
  const { uploads, guard } = checked;
  const { created, eventId } = await deps.mailCommitter.commit({ job, uploads: uploads.uploads, sendRequest, guard });
  // Hints are sent after the commit and may be lost: the scanner finds the work in the database within two seconds.
  if (eventId !== null) deps.hints.notify('fan-out', [eventId]);
  if (created.isNew) deps.hints.notify(renderWork.queue, [job._id]);

  return created;
}

/**
 * Returns the job that a request would create, whether the balance covers it, and whether its sender is the default
 * entry of the address book. Stores nothing.
 */
export async function dryRunMailJob(sendRequest: SendRequest, deps: CreateDeps, at: Date) {
  const ready = await resolveContent(withHashes(sendRequest, deps), deps, at);
  const checked = await checkSendRequest(ready, deps, at);
  const job = newMailJob(ready, checked, at);
  const { balanceCents } = await readWallet(sendRequest.owner);
  return { job, isDefaultEntry: checked.isDefaultEntry, isBalanceSufficient: balanceCents >= job.amounts.totalCents };
}

/** Returns a send request with its hashes. */
export function withHashes<Request extends SendRequest>(
  sendRequest: Request,
  { requestSigner }: Pick<CreateDeps, 'requestSigner'>,
): Request & Hashed {
  const requestHashes = requestSigner ? hashMailRequest(sendRequest.body, requestSigner) : [];
  return { ...sendRequest, requestSigner, requestHashes };
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
