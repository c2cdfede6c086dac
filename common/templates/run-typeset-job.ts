import { type Clock, plusMs } from '#common/clock.ts';
import { LetterError } from '#common/documents/typesetting/refusals.ts';
import type { SetLetter, TypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import type { Language } from '#common/languages.ts';
import type { Owner } from '#common/modes.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { randomBase32 } from '#common/secrets.ts';
import { usableMs } from '#common/uploads/create-upload.ts';
import { countStored } from '#common/uploads/storage-use.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { mergeLetter } from './merge-letter.ts';
import type { MergeVariables } from './text/fill-template.ts';
import type { TypesetJobRecord, TypesetResult } from './typeset-job.model.ts';

export type TypesetWorkDeps = { store: ObjectStore; typesetting: TypesettingPool; clock: Clock; log: Log };

/** Delays before a letter is typeset again that failed for another reason than its content. After the last, it fails. */
export const typesetRetryDelaysMs = [500, 5_000] as const;

/** After this many claims that ended without a result, the letter may be what ends the workers. */
const maxUnfinished = 5;

/**
 * Typesets a letter and stores it as an upload of its owner. A letter that cannot be typeset has a fault as its result;
 * any other error is thrown for a retry. Running twice for one row is harmless: the cleanup removes the unused upload.
 */
export async function runTypesetJob(
  claim: Claim<TypesetJobRecord>,
  deps: TypesetWorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const { failures, unfinished, id: typesetJobId } = claim;
  const result = await (unfinished >= maxUnfinished
    ? Promise.reject(new Error('Too many workers ended without a result.'))
    : typeset(claim.row, deps, signal)
  ).catch((error: unknown): TypesetResult => {
    if (error instanceof LetterError) return failed(error.message, false);
    const isLast = unfinished >= maxUnfinished || failures >= typesetRetryDelaysMs.length;
    if (signal.aborted || !isLast) throw error;
    deps.log.error({ err: error, typesetJobId }, 'letter not typeset, no retries left');
    return failed('The letter could not be typeset on our side.', true);
  });
  // The variables are data of recipients, and no longer needed.
  await finishClaim(claim, { set: { result, variables: '{}' } });
}

function failed(fault: string, isOurFault: boolean): TypesetResult {
  return { s3Key: null, pageCount: 0, sizeBytes: 0, fault, isOurFault };
}

async function typeset(
  row: TypesetJobRecord,
  { store, typesetting, clock, log }: TypesetWorkDeps,
  signal: AbortSignal,
): Promise<TypesetResult> {
  const { organizationId, mode, language, text } = row;
  const variables: MergeVariables = JSON.parse(row.variables);
  const letter = await mergeLetter(
    { organizationId, language: language as Language, text },
    variables,
    { typesetting },
    signal,
  );
  const s3Key = await storeLetter({ organizationId, mode }, letter, { store, clock, log });
  return { s3Key, pageCount: letter.pageCount, sizeBytes: letter.pdf.length, fault: null, isOurFault: false };
}

/**
 * Stores a letter as an upload of its owner, which a mail job can name, and returns its key. The owner's limit of storage
 * was checked when the letter was asked for.
 */
export async function storeLetter(
  owner: Owner,
  { pdf, pageCount }: SetLetter,
  { store, clock, log }: Omit<TypesetWorkDeps, 'typesetting'>,
): Promise<string> {
  const at = clock.now();
  const s3Key = `u/${owner.organizationId}/${randomBase32(20)}`;
  const contentType = 'application/pdf';
  const upload: UploadRecord = {
    ...{ _id: s3Key, organizationId: owner.organizationId, mode: owner.mode },
    ...{ filename: 'letter.pdf', mimeType: contentType, sizeBytes: pdf.length, etag: null, pageCount },
    ...{ createdAt: at, usableUntil: plusMs(at, usableMs), neededUntil: null },
  };
  // The row first, so that the cleanup finds the object whatever happens.
  await Upload.create([upload]);
  await countStored(owner, pdf.length, log);
  await store.put({ key: s3Key, bytes: pdf, contentType });
  return s3Key;
}
