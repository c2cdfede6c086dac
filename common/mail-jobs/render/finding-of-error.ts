import { DocumentError } from '#common/documents/isolation/document-error.ts';
import { findingOfFault } from '#common/documents/preflight/fault-findings.ts';
import { createFinding } from '#common/documents/preflight/find-findings.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import {
  ObjectChangedError,
  ObjectMissingError,
  ObjectTooLargeError,
} from '#common/platform/s3/object-store-errors.ts';

/** Returns what an error says about the files; null for an error that they did not cause. `pages`: as sent. */
export function findingOfError(error: unknown, pages: number | null = null): Finding | null {
  if (error instanceof DocumentError) return findingOfDocument(error, pages);
  const isChanged = [ObjectChangedError, ObjectMissingError, ObjectTooLargeError].some((kind) => error instanceof kind);
  return isChanged ? createFinding('file_changed', {}) : null;
}

function findingOfDocument({ fault, fileIndex, filePageCounts }: DocumentError, pages: number | null): Finding {
  if (fault !== undefined && fileIndex !== undefined) return findingOfFault(fault, fileIndex);
  if (filePageCounts && pages !== null) {
    const total = filePageCounts.reduce((sum, count) => sum + count, 0);
    const counted = filePageCounts.length === 1 ? `${total}` : `${total} (${filePageCounts.join(' + ')})`;
    return createFinding('page_count_mismatch', { expected: pages, counted });
  }
  return createFinding('files_too_large_together', {});
}
