import { conflict, notFound } from '../errors.ts';
import { type CreateDeps, createMailJob } from '../mail-jobs/create/create-mail-job.ts';
import type { MailRequest } from '../mail-jobs/model/mail-request.schema.ts';
import type { ReadySendRequest, SendRequest } from '../mail-jobs/model/send-request.ts';
import type { PostalAddress } from '../organizations/organization.model.ts';
import { sha256Hex } from '../secrets.ts';
import { type CheckDeps, checkDraft, type DraftCheck } from './check-draft.ts';
import type { DraftRecord } from './draft.model.ts';
import { findDraft, findSentLetter, removeDraft } from './save-draft.ts';

export type DraftToSend = {
  organizationId: string;
  draftId: string;
  /** What its sender saw: another revision is refused. */
  revision: number;
  /** The total that its sender saw, in cents with VAT. A higher price is refused. */
  maxTotalCents: number;
  /** `senderKeyOf` the sender that was shown. It is not part of the draft, so a change leaves its revision. */
  senderKey: string;
  credential: SendRequest['credential'];
};

/**
 * Sends the letter of a draft and removes the draft. Its externalId is the ID of the draft, so a second click, another tab
 * and a repeat after a kill find the same letter. Returns the ID of the letter. Throws CONFLICT if the draft or its sender
 * was changed since it was shown or it cannot be sent, PRICE_CHANGED, INSUFFICIENT_FUNDS, NOT_FOUND, and as `createMailJob`.
 */
export async function sendDraft(toSend: DraftToSend, deps: CreateDeps & CheckDeps, at: Date): Promise<string> {
  const { organizationId, draftId } = toSend;
  try {
    const mailJobId = await createLetter(toSend, deps, at);
    await removeDraft({ organizationId, draftId }, at);
    return mailJobId;
  } catch (error) {
    // Another click sent the letter meanwhile, and removed the draft or released its files.
    const letter = await findSentLetter({ organizationId, draftId });
    if (!letter) throw error;
    await removeDraft({ organizationId, draftId }, at);
    return letter._id;
  }
}

async function createLetter(toSend: DraftToSend, deps: CreateDeps & CheckDeps, at: Date): Promise<string> {
  const { organizationId, draftId, revision, maxTotalCents, senderKey, credential } = toSend;
  const letter = await findSentLetter({ organizationId, draftId });
  if (letter) return letter._id;
  const draft = await findDraft({ organizationId, draftId }, at);
  if (!draft) throw notFound();
  if (draft.revision !== revision) {
    throw conflict('This letter was changed since this page was opened. Check it again.');
  }
  const check = await checkDraft(draft, deps, at);
  if (senderKeyOf(check.sender) !== senderKey) {
    throw conflict('The sender was changed since this page was opened. Check it again.');
  }
  const others = check.blockers.filter((blocker) => blocker !== 'balance_short');
  if (others.length > 0) throw conflict(`This letter cannot be sent yet: ${others}.`);
  const body = toMailRequest(draft, check, maxTotalCents);
  const owner = { organizationId, mode: draft.mode };
  const { job } = await createMailJob(
    { body, idempotencyKey: null, owner, credential, ...templateOf(draft) },
    deps,
    at,
  );
  return job._id;
}

/** Returns the template that a letter names. One of the other mode is unknown to those who read the letter. */
function templateOf({ mode, template }: DraftRecord): Pick<ReadySendRequest, 'template'> {
  if (template?.mode !== mode) return {};
  const { templateId, version } = template;
  return { template: { templateId, version } };
}

/** Returns a key of a sender, to compare the one that was shown with the one that a letter would have now. */
export function senderKeyOf({ name, line1, line2, zip, city, country }: PostalAddress): string {
  return sha256Hex(JSON.stringify([name, line1, line2 || null, zip, city, country]));
}

/** The draft must have no blockers. */
function toMailRequest(
  draft: DraftRecord,
  { pages, zone, drop, sender }: DraftCheck,
  maxTotalCents: number,
): MailRequest {
  const { serviceType, color, doubleSided, acknowledgmentReceipt } = draft;
  if (pages === null || zone === null) throw new Error('The draft is not complete');
  return {
    ...{ zone, pages, serviceType, color, doubleSided, maxTotalCents },
    acknowledgmentReceipt: serviceType === 'registered' && acknowledgmentReceipt,
    scheduledDropAt: drop?.scheduledDropAt?.toISOString() ?? null,
    // The one that was compared, not one that is the default when the letter is stored.
    sender,
    recipients: draft.recipients.map(({ recipientId: _, ...address }) => address),
    files: draft.files.map(({ s3Key }) => ({ s3Key })),
    externalId: draft._id,
  };
}
