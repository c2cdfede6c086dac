import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '#common/ids.ts';
import { ignoreErrors } from '#common/platform/drop-folder/ignore-errors.ts';

/**
 * Folders of a hot folder. `out` is what the print system watches, `results` is what it writes. The two hidden ones belong
 * to the service: batches that are being written, and a claim for each batch that was handed over.
 */
export const folderNames = {
  incoming: '.incoming',
  claims: '.published',
  out: 'out',
  results: 'results',
  done: 'results/done',
  rejected: 'results/rejected',
} as const;

const discardedEnd = '.discarded';
export const tokenPattern = /^[0-9a-f]{16}$/;
export const batchIdPattern = /^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the paths of one batch. Throws a RangeError for a malformed id, so no id can leave the hot folder. */
export function pathsOf(root: string, batchId: string) {
  if (!batchIdPattern.test(batchId)) throw new RangeError('This is not the id of a batch.');
  const [incoming, claims, out] = [folderNames.incoming, folderNames.claims, folderNames.out].map((name) =>
    join(root, name),
  ) as [string, string, string];
  return {
    incoming,
    claims,
    out,
    claim: join(claims, batchId),
    published: join(out, batchId),
    /** Where the folder with this token is written. */
    folderOf: (token: string) => join(incoming, `${batchId}-${token}`),
    /** The same after it was discarded. */
    discardedOf: (token: string) => join(incoming, `${batchId}-${token}${discardedEnd}`),
  };
}

/** Returns the token of a folder in `.incoming`, discarded or not. Null when it is not one of this batch. */
export function tokenOf(name: string, batchId: string): string | null {
  const token = name.slice(batchId.length + 1).replace(discardedEnd, '');
  return name.startsWith(`${batchId}-`) && tokenPattern.test(token) ? token : null;
}

/** Returns the path of an item's file in the folder of its batch, such as `items/00001-mi_….pdf`. */
export function itemFileOf({ sequence, itemId }: { sequence: number; itemId: string }): string {
  if (!isId('mi', itemId)) throw new RangeError('This is not the id of an item.');
  if (!Number.isSafeInteger(sequence) || sequence < 1) throw new RangeError('A sequence counts from 1.');
  return `items/${String(sequence).padStart(5, '0')}-${itemId}.pdf`;
}

/** Network file systems refuse to sync a folder. They write names through. */
const noSync = ['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EBADF'];

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await ignoreErrors(noSync, folder.sync());
  } finally {
    await folder.close();
  }
}
