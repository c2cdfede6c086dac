import { mayRead } from '#common/access/require-scope.ts';
import type { SendRequest } from '../model/send-request.ts';
import {
  type AnyMailReceipt,
  type MailReceipt,
  toMailReceipt,
  toRequestedReceipt,
  withoutEntries,
} from '../views/mail-receipt.view.ts';
import { type CreateDeps, createMailJob, dryRunMailJob } from './create-mail-job.ts';

/** `isNew` is false for a repeat or a dry run. */
export type SendResult = { isNew: true; receipt: MailReceipt } | { isNew: false; receipt: AnyMailReceipt };

/** Handles a request to send: creates the job or makes a dry run. Returns the receipt. Throws like `createMailJob`. */
export async function handleSendRequest(sendRequest: SendRequest, deps: CreateDeps, at: Date): Promise<SendResult> {
  if (sendRequest.body.dryRun === true) return { isNew: false, receipt: await handleDryRun(sendRequest, deps, at) };
  const { job, isNew, payloadMatches } = await createMailJob(sendRequest, deps, at);
  // A stored job is always paid.
  const flags = { dryRun: false, duplicate: !isNew, payloadMatches, balanceSufficient: true };
  const receipt = toMailReceipt(job, { ...flags, viewer: { ...sendRequest.credential, at } });
  if (isNew) return { isNew, receipt };
  const isShown = payloadMatches || mayRead(sendRequest.credential, job);

  return { isNew, receipt: isShown ? receipt : toRequestedReceipt(receipt, sendRequest.body) };
}

async function handleDryRun(sendRequest: SendRequest, deps: CreateDeps, at: Date): Promise<AnyMailReceipt> {
  const { body, credential } = sendRequest;
  const { job, isBalanceSufficient, isDefaultEntry } = await dryRunMailJob(sendRequest, deps, at);
  const flags = { dryRun: true, duplicate: false, payloadMatches: true, balanceSufficient: isBalanceSufficient };
  const receipt = toMailReceipt(job, { ...flags, viewer: { ...sendRequest.credential, at } });
  // Security: dry runs are free, so the scope `send` alone could otherwise read the whole address book.
  const mayReadEntries = credential.scopes.includes('addresses') || credential.scopes.includes('read');

  return mayReadEntries ? receipt : withoutEntries(receipt, { body, isDefaultEntry });
}
