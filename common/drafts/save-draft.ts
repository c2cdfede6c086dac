import { plusMs } from '../clock.ts';
import { conflict, notFound } from '../errors.ts';
import { MailJob, type MailJobRecord } from '../mail-jobs/model/mail-job.model.ts';
import { type Mode, modes } from '../modes.ts';
import { isDuplicateKey } from '../platform/mongo/mongo.ts';
import { prolongUploads, releaseUploads } from '../uploads/keep-uploads.ts';
import { Draft, type DraftRecord, draftLifeMs } from './draft.model.ts';

/** Who works on a draft. Everyone in the organization may, with its link. */
export type DraftEditor = { organizationId: string; userId: string };

/** The draft and its letter exist at the same time only until the draft is removed. */
type DraftKey = { draftId: string; organizationId: string };

/** The letter was sent already, perhaps in another tab. `mailJobId` names it. */
export class DraftSentError extends Error {
  override readonly name = 'DraftSentError';
  readonly mailJobId: string;

  constructor(mailJobId: string) {
    super('The draft was sent already.');
    this.mailJobId = mailJobId;
  }
}

/** Most attempts of one change while others change the same draft. */
const maxAttempts = 20;
/** Most drafts that are offered. */
const maxListed = 10;

/** Returns the letter that was made from a draft; null when it was not sent. */
export async function findSentLetter({ organizationId, draftId }: DraftKey): Promise<MailJobRecord | null> {
  const filter = { organizationId, mode: { $in: [...modes] }, externalId: draftId };
  return await MailJob.findOne(filter).lean<MailJobRecord>();
}

/** Returns a draft of this organization, null when there is none at `at`. */
export async function findDraft({ organizationId, draftId }: DraftKey, at: Date): Promise<DraftRecord | null> {
  return await Draft.findOne({ _id: draftId, organizationId, expiresAt: { $gt: at } }).lean<DraftRecord>();
}

/** Lists the unfinished drafts of a user that are worth continuing, latest first, at most ten. */
export async function listDrafts({ organizationId, userId }: DraftEditor, at: Date): Promise<DraftRecord[]> {
  const begun = [
    { 'files.0': { $exists: true } },
    { 'template.templateId': { $exists: true } },
    { 'recipients.0': { $exists: true } },
  ];
  const drafts = await Draft.find({ organizationId, userId, expiresAt: { $gt: at }, $or: begun })
    .sort({ updatedAt: -1 })
    .limit(maxListed)
    .lean<DraftRecord[]>();
  const ids = drafts.map(({ _id }) => _id);
  const filter = { organizationId, mode: { $in: [...modes] }, externalId: { $in: ids } };
  // A process that was killed after it sent the letter has left the draft.
  const sent = await MailJob.find(filter).select({ externalId: 1 }).lean<Pick<MailJobRecord, 'externalId'>[]>();
  const sentIds = new Set(sent.map(({ externalId }) => externalId));
  return drafts.filter(({ _id }) => !sentIds.has(_id));
}

export type DraftChange = (draft: DraftRecord) => Partial<DraftRecord>;

/**
 * Changes a draft, or begins it in `mode`. Simultaneous changes follow one another, so none is lost: `change` may be called
 * several times. Extends the life of the draft and of its files. Throws DraftSentError, NOT_FOUND for a draft of another
 * organization, and whatever `change` throws.
 */
export async function saveDraft(
  editor: DraftEditor,
  { draftId, mode }: { draftId: string; mode: Mode },
  change: DraftChange,
  at: Date,
): Promise<DraftRecord> {
  const { organizationId, userId } = editor;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const found = await Draft.findOne({ _id: draftId, organizationId }).lean<DraftRecord>();
    if (!found) await refuseIfSent({ organizationId, draftId });
    const before = found ?? blankDraft({ draftId, organizationId, userId, mode }, at);
    // Files that were refused are shown once.
    const changed = { refusedFiles: [], ...change(before) };
    const saved = { revision: before.revision + 1, updatedAt: at, expiresAt: plusMs(at, draftLifeMs) };
    const changes = { ...changed, ...saved };
    const after: DraftRecord = { ...before, ...changes };
    // First, so no cleanup removes a file of a draft that lives on.
    await prolongUploads(
      after,
      after.files.map(({ s3Key }) => s3Key),
      after.expiresAt,
    );
    if (await store(after, found, changes)) return after;
  }
  throw conflict('Others change this letter at the same time. Try again.');
}

/** Returns false when another change was faster. */
async function store(after: DraftRecord, found: DraftRecord | null, changes: Partial<DraftRecord>): Promise<boolean> {
  const { _id, organizationId } = after;
  if (found) {
    const filter = { _id, organizationId, revision: found.revision };
    return (await Draft.updateOne(filter, { $set: changes })).modifiedCount === 1;
  }
  try {
    await Draft.create([after]);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if ((await Draft.exists({ _id, organizationId })) === null) throw notFound();
    return false;
  }
}

async function refuseIfSent(key: DraftKey): Promise<void> {
  const letter = await findSentLetter(key);
  if (letter) throw new DraftSentError(letter._id);
}

type NewDraft = { draftId: string; organizationId: string; userId: string; mode: Mode };

/** Returns a draft without content, which is not stored. */
export function blankDraft({ draftId: _id, ...owner }: NewDraft, at: Date): DraftRecord {
  return {
    _id,
    ...owner,
    revision: 0,
    ...{ template: null, files: [], pages: null, refusedFiles: [], recipients: [], pasted: [] },
    senderId: null,
    ...{ serviceType: 'standard', color: false, acknowledgmentReceipt: false, dropOn: null },
    createdAt: at,
    updatedAt: at,
    expiresAt: plusMs(at, draftLifeMs),
  };
}

/** Removes a draft. Its files are removed with the expired uploads, unless a letter needs them. */
export async function removeDraft({ organizationId, draftId }: DraftKey, at: Date): Promise<void> {
  const draft = await Draft.findOneAndDelete({ _id: draftId, organizationId }).lean<DraftRecord>();
  if (!draft) return;
  await releaseUploads(
    draft,
    draft.files.map(({ s3Key }) => s3Key),
    at,
  );
}
