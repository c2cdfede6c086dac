import { isId } from '#common/ids.ts';
import type { SummaryRecord } from '#common/mail-jobs/views/mail-job.view.ts';

/** What a letter is called on pages. `isId`: the name is an ID, of the customer's system or of ours. */
export type LetterName = { name: string; isId: boolean };

/**
 * Returns what pages call a letter: its own ID if a system sent it. One that was sent in the browser has the ID of its
 * draft, which says nothing to people, so it has the name of its first file.
 */
export function nameLetter({
  _id,
  externalId,
  files: [file],
}: Pick<SummaryRecord, '_id' | 'externalId' | 'files'>): LetterName {
  const isOfBrowser = externalId !== undefined && isId('drf', externalId);
  if (isOfBrowser && file) return { name: file.filename, isId: false };
  return { name: isOfBrowser ? _id : (externalId ?? _id), isId: true };
}
