import { isId } from '#common/ids.ts';
import type { SummaryRecord } from '#common/mail-jobs/views/mail-job.view.ts';

/** What a letter is called on pages. `isId`: the name is an ID, of the customer's system or of ours. */
export type LetterName = { name: string; isId: boolean };

/** Returns the list and the row that a letter was made of; null for any other letter. */
export function listRowOf(externalId: string | undefined): { bulkId: string; row: number } | null {
  const [, bulkId = '', row] = /^(blk_[^:]+):(\d+)$/.exec(externalId ?? '') ?? [];
  return isId('blk', bulkId) ? { bulkId, row: Number(row) } : null;
}

/**
 * Returns what pages call a letter: its own ID if a system sent it. One of a list has the name of its recipient and the
 * list's own reference, until it is redacted. One that was sent in the browser has the ID of its
 * draft, which says nothing to people, so it has the name of its first file.
 */
export function nameLetter({
  _id,
  externalId,
  files: [file],
  items: [item],
  metadata = [],
}: Pick<SummaryRecord, '_id' | 'externalId' | 'files' | 'items' | 'metadata'>): LetterName {
  if (item?.name && listRowOf(externalId)) {
    const reference = metadata.find(({ key }) => key === 'reference')?.value;
    return { name: reference === undefined ? item.name : `${item.name}, ${reference}`, isId: false };
  }
  const isOfBrowser = externalId !== undefined && isId('drf', externalId);
  if (isOfBrowser && file) return { name: file.filename, isId: false };
  return { name: isOfBrowser ? _id : (externalId ?? _id), isId: true };
}
