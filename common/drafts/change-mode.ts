import { conflict } from '../errors.ts';
import type { Mode } from '../modes.ts';
import { inTransaction } from '../platform/mongo/transaction.ts';
import type { Log } from '../platform/process/log.ts';
import { countStored, reserveStorage } from '../uploads/storage-use.ts';
import { Upload } from '../uploads/upload.model.ts';
import { Draft, type DraftRecord } from './draft.model.ts';
import { type DraftEditor, findDraft, saveDraft } from './save-draft.ts';

type ModeDeps = { maxStoredBytes: Record<Mode, number>; log: Log };

/**
 * Makes a draft a test letter or a live one, or begins it in this mode. Its files move to the other mode in the same
 * transaction, because no other draft or letter uses them. Throws LIMIT_REACHED if they exceed the storage of that mode,
 * CONFLICT if another request changed the draft meanwhile, and as `saveDraft`.
 */
export async function changeDraftMode(
  editor: DraftEditor,
  { draftId, mode }: { draftId: string; mode: Mode },
  { maxStoredBytes, log }: ModeDeps,
  at: Date,
): Promise<DraftRecord> {
  const { organizationId } = editor;
  const draft = await findDraft({ organizationId, draftId }, at);
  if (!draft || draft.mode === mode) return await saveDraft(editor, { draftId, mode }, () => ({}), at);

  const bytes = draft.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const [from, to] = [draft.mode, mode].map((each) => ({ organizationId, mode: each })) as [Owned, Owned];
  await reserveStorage(to, bytes, maxStoredBytes[mode]);
  const changes = { mode, revision: draft.revision + 1, updatedAt: at };
  try {
    await inTransaction(async (transaction) => {
      const session = { session: transaction };
      const filter = { _id: draftId, organizationId, revision: draft.revision };
      const { modifiedCount } = await Draft.updateOne(filter, { $set: changes }, session);
      if (modifiedCount === 0) throw conflict('The letter was changed meanwhile.');
      const keys = draft.files.map(({ s3Key }) => s3Key);
      await Upload.updateMany({ _id: { $in: keys }, ...from, neededUntil: null }, { mode }, session);
    });
  } catch (error) {
    await countStored(to, -bytes, log);
    throw error;
  }
  await countStored(from, -bytes, log);
  return { ...draft, ...changes };
}

type Owned = { organizationId: string; mode: Mode };
