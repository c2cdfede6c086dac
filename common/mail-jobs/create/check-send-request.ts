import { findDefaultSender } from '#common/addresses/find-default-sender.ts';
import type { EnvelopeWindow } from '#common/config/variables.ts';
import { AppError, type Issue, invalid } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { startLetter } from '#common/sandbox/clocks/letter-time.ts';
import { checkOutcome } from '#common/sandbox/steps/sandbox-outcomes.ts';
import type { CutoffRules } from '#common/services.ts';
import { type CheckedUploads, checkUploads } from '#common/uploads/check-uploads.ts';
import { requireTarget, type TargetUrlCheck } from '#common/webhooks/registry/create-webhook.ts';
import type { MailWarning } from '../model/mail-job.model.ts';
import type { MailRequest } from '../model/mail-request.schema.ts';
import type { Hashed, ReadySendRequest } from '../model/send-request.ts';
import { planDrop } from '../rules/plan-drop.ts';
import { checkPrintedAddresses } from './check-printed-addresses.ts';
import { quote } from './quote.ts';
import { resolveAddresses } from './resolve-addresses.ts';
import { warnOfReturns } from './warn-of-returns.ts';

export type CheckDeps = {
  store: ObjectStore;
  checkTargetUrl: TargetUrlCheck;
  envelopeWindow: EnvelopeWindow;
  cutoffs: CutoffRules;
};

/** What the checks of a request found: all that a new mail job needs beside the request. */
export type CheckedRequest = Awaited<ReturnType<typeof checkSendRequest>>;

/** Makes all checks that need no transaction: times, addresses, files, price. Throws what refuses the request. */
export async function checkSendRequest(sendRequest: ReadySendRequest & Hashed, deps: CheckDeps, at: Date) {
  const { body, owner, warnings = [] } = sendRequest;
  const start = await startLetter(owner, body.sandboxClockId, at);
  const drop = planDrop(body.scheduledDropAt, { serviceType: body.serviceType, now: start.letterAt }, deps.cutoffs);
  if (body.webhookUrl != null) await requireTarget(body.webhookUrl, deps, 'webhookUrl');
  const { recipients, sender: named, issues } = await resolveAddresses(body, owner);
  // In parallel: they are independent, and each costs a round trip.
  const [uploads, { address: sender, isEntry: isDefaultEntry }, returns] = await Promise.all([
    checkUploads(owner, body.files, deps.store, at),
    named ? { address: named, isEntry: false } : findDefaultSender(owner),
    warnOfReturns(owner, recipients),
  ]);
  assertPageCount(body.pages, uploads);
  const known = [...issues, ...findOutcomeIssues(recipients, owner)];
  const small = await checkPrintedAddresses(sendRequest, { recipients, sender }, deps.envelopeWindow, known);
  const { amounts } = await quote(body, at);
  if (body.maxTotalCents != null && amounts.totalCents > body.maxTotalCents) {
    const message = `The price is now ${amounts.totalCents} cents, above maxTotalCents. Ask for a new quote.`;
    throw new AppError('PRICE_CHANGED', { message });
  }
  const allWarnings = [...findWarnings(body), ...warnings, ...small, ...returns];
  return { ...start, drop, recipients, sender, isDefaultEntry, uploads, amounts, warnings: allWarnings };
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
