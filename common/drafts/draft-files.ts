import { open } from 'node:fs/promises';
import { plusMs } from '../clock.ts';
import { findTypeFault, sniff } from '../documents/print-file/sniff.ts';
import { conflict, hasCode } from '../errors.ts';
import { mailJobLimits } from '../mail-jobs/model/mail-request.schema.ts';
import type { UploadMimeType } from '../mime-types.ts';
import type { Mode } from '../modes.ts';
import { releaseUploads } from '../uploads/keep-uploads.ts';
import { type StoreUploadDeps, storeUpload } from '../uploads/store-upload.ts';
import { type DraftFile, type DraftFileFault, type DraftRecord, draftLifeMs } from './draft.model.ts';
import { type DraftEditor, findDraft, saveDraft } from './save-draft.ts';

/** A file as it was received: on disk, or with its fault. */
export type ReceivedFile = { filename: string } & (
  | { path: string; sizeBytes: number; fault: null }
  | { path: null; fault: DraftFileFault }
);
type RefusedFile = DraftRecord['refusedFiles'][number];

const headBytes = 4_096;

/** `isFurther`: a submission after others of the same choice of files, whose refusals stay listed. */
export type FileSubmission = { files: readonly ReceivedFile[]; isFurther?: boolean };

/** Most refused files that are listed. */
const maxRefused = 20;

/**
 * Stores files as uploads and adds them to a draft in their order. A file that cannot be taken is listed in
 * `refusedFiles`, and the others are added. Throws CONFLICT if the mode of the draft changed meanwhile or it is made of a template, as `saveDraft`, and
 * StoreUnavailableError.
 */
export async function addDraftFiles(
  editor: DraftEditor,
  target: { draftId: string; mode: Mode },
  { files: received, isFurther = false }: FileSubmission,
  deps: StoreUploadDeps,
  at: Date,
): Promise<DraftRecord> {
  const { organizationId } = editor;
  const before = await findDraft({ organizationId, draftId: target.draftId }, at);
  const mode = before?.mode ?? target.mode;
  const owner = { organizationId, mode };
  const stored: DraftFile[] = [];
  const refused: RefusedFile[] = [];
  let named: readonly DraftFile[] = [];
  try {
    for (const file of received) {
      const isFull = (before?.files.length ?? 0) + stored.length >= mailJobLimits.files;
      const taken = isFull ? 'too_many' : await storeOne(owner, file, deps, at);
      if (typeof taken === 'string') refused.push({ filename: file.filename || '?', fault: taken });
      else stored.push(taken);
    }
    const draft = await saveDraft(
      editor,
      { ...target, mode },
      (draft) => {
        const message = 'The mode of this letter was changed meanwhile. Add the files again.';
        if (draft.mode !== mode) throw conflict(message);
        if (draft.template) throw conflict('This letter is made of a template.');
        const free = mailJobLimits.files - draft.files.length;
        const surplus = stored.slice(free).map(({ filename }): RefusedFile => ({ filename, fault: 'too_many' }));
        const before = isFurther ? draft.refusedFiles : [];
        const refusedFiles = [...before, ...refused, ...surplus].slice(0, maxRefused);
        return { files: [...draft.files, ...stored.slice(0, free)], pages: null, refusedFiles };
      },
      at,
    );
    named = draft.files;
    return draft;
  } finally {
    // No draft names them: all of a submission that failed, and those beyond the limit.
    const namedKeys = new Set(named.map(({ s3Key }) => s3Key));
    const unnamed = stored.map(({ s3Key }) => s3Key).filter((key) => !namedKeys.has(key));
    await releaseUploads(owner, unnamed, at);
  }
}

/** Returns the stored file, or why it was not taken. */
async function storeOne(
  owner: { organizationId: string; mode: Mode },
  file: ReceivedFile,
  deps: StoreUploadDeps,
  at: Date,
): Promise<DraftFile | DraftFileFault> {
  if (file.path === null) return file.fault;
  const { path, sizeBytes } = file;
  const mimeType = await sniffFile(path);
  if (mimeType === null) return 'not_accepted';
  if ((await findTypeFault({ path }, mimeType)) !== null) return 'two_types_at_once';
  const filename = file.filename || 'document';
  const usableUntil = plusMs(at, draftLifeMs);
  try {
    const { _id: s3Key } = await storeUpload(owner, { path, filename, mimeType, sizeBytes, usableUntil }, deps, at);
    return { s3Key, filename, mimeType, sizeBytes };
  } catch (error) {
    if (hasCode(error, 'LIMIT_REACHED')) return 'storage_full';
    throw error;
  }
}

/** Returns the type that the content has, whatever the name says. */
async function sniffFile(path: string): Promise<UploadMimeType | null> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return sniff(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Removes a file from a draft. Its upload is removed by cleanup. */
export async function removeDraftFile(
  editor: DraftEditor,
  { draftId, mode, s3Key }: { draftId: string; mode: Mode; s3Key: string },
  at: Date,
): Promise<DraftRecord> {
  const remove = ({ files }: DraftRecord) => ({
    files: files.filter((file) => file.s3Key !== s3Key),
    pages: null,
    refusedFiles: [],
  });
  const draft = await saveDraft(editor, { draftId, mode }, remove, at);
  await releaseUploads(draft, [s3Key], at);
  return draft;
}
