import { DocumentError } from '#common/documents/isolation/document-error.ts';
import { findingOfFault } from '#common/documents/preflight/fault-findings.ts';
import type { Finding } from '#common/documents/preflight/finding-table.ts';
import {
  ObjectChangedError,
  ObjectMissingError,
  ObjectTooLargeError,
} from '#common/platform/s3/object-store-errors.ts';
import { mailJobLimits } from '../model/mail-request.schema.ts';

const ofLetter = { severity: 'error', page: null, boxMm: null } as const;

/** The check failed for reasons that are not the sender's. */
export const notChecked: Finding = {
  ...ofLetter,
  code: 'not_checked',
  message: 'The files could not be checked on our side.',
  fix: 'Check them again later. Sending the letter is possible; it is checked again then.',
};

/** Returns the finding about more pages than a letter may have. */
export function tooManyPages(pages: number): Finding {
  return {
    ...ofLetter,
    code: 'too_many_pages',
    message: `The files together have ${pages} pages, a letter has at most ${mailJobLimits.pages}.`,
    fix: 'Send them as several letters.',
  };
}

/** Returns what an error says about the files; null for an error that they did not cause. */
export function findingOfError(error: unknown): Finding | null {
  if (error instanceof DocumentError) {
    const { fault, fileIndex } = error;
    if (fault !== undefined && fileIndex !== undefined) return findingOfFault(fault, fileIndex);
    // Files that can be printed alone but not together: what is wrong, then what to do.
    const end = error.message.indexOf('. ') + 1;
    const [message, fix] = [error.message.slice(0, end), error.message.slice(end + 1)];
    return { ...ofLetter, code: 'files_too_large_together', message, fix };
  }
  const isChanged = [ObjectChangedError, ObjectMissingError, ObjectTooLargeError].some((kind) => error instanceof kind);
  if (!isChanged) return null;
  const message = 'A file is no longer the one that was uploaded.';
  return { ...ofLetter, code: 'file_changed', message, fix: 'Upload it again, then check the new upload.' };
}
