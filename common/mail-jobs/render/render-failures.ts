import { DocumentError } from '#common/documents/isolation/document-error.ts';
import {
  ObjectChangedError,
  ObjectMissingError,
  ObjectTooLargeError,
} from '#common/platform/s3/object-store-errors.ts';
import type { Failure } from '../model/failure.ts';

/** No attempt reached a result within the retries, and the files did not cause it. */
export const givenUp: Failure = {
  code: 'PRINT_FAILED',
  message: 'The files could not be made ready for printing on our side. Send the letter again.',
};

/** Claims ended without a result: the files may be what kills workers. */
export const neverFinished: Failure = {
  code: 'PRINT_FAILED',
  message:
    'The rendering of the files ended ten times without a result. Export them again, then send the letter again with the new files.',
};

/** Returns the failure to report for an error that the files caused; null for any other error. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof DocumentError) return { code: error.code, message: error.message };
  const isOther = [ObjectChangedError, ObjectMissingError, ObjectTooLargeError].some((kind) => error instanceof kind);
  if (!isOther) return null;
  return { code: 'FILE_CHANGED', message: 'A file is no longer the one that was uploaded. Upload it again.' };
}
