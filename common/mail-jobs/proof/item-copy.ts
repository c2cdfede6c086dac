import { join } from 'node:path';
import { openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { appendTo, type FileContent } from '#common/documents/file-content.ts';
import { windowFrame } from '#common/documents/preflight/draw-overlay.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { maxWarmBytes } from '#common/documents/warm/warm-pool.ts';
import { AppError, conflict, invalid } from '#common/errors.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { MailItem, MailJobRecord, PrintFileRecord } from '../model/mail-job.model.ts';

/** The parts of a mail job that a copy is made of. */
export type CopySource = Pick<
  MailJobRecord,
  '_id' | 'organizationId' | 'mode' | 'items' | 'sender' | 'printFile' | 'status' | 'redactedAt'
>;

/** An item and the print file of its mail job, which is in the object store. */
export type ItemToCopy = { item: MailItem; printFile: PrintFileRecord };

/**
 * Returns the item with this id, by default the only one, and the print file. Throws NOT_FOUND for an unknown item and
 * for a removed print file, VALIDATION_ERROR when an item has to be chosen, and CONFLICT while there is no print file.
 */
export function findItem({ items, printFile, status, redactedAt }: CopySource, itemId: string | undefined): ItemToCopy {
  const [only] = items;
  if (itemId === undefined && items.length > 1) {
    throw invalid(['itemId'], `This letter has ${items.length} recipients. Give the itemId of one of them.`);
  }
  const item = itemId === undefined ? only : items.find((each) => each.itemId === itemId);
  if (!item) throw new AppError('NOT_FOUND', { message: 'This mail job has no such item.' });
  if (printFile === null) {
    const isOver = status === 'failed';
    const message = isOver
      ? 'This letter was never rendered. The mail job says why in `failure`.'
      : 'This letter is not rendered yet. Try again in a few seconds.';
    throw conflict(message);
  }
  if (printFile.removedAt || redactedAt) {
    throw new AppError('NOT_FOUND', { message: 'The print file of this letter has been removed.' });
  }
  return { item, printFile };
}

/** Number of pages of each copy, the cover page and its blank back included. */
export function countCopyPages({ pageCount, placement, doubleSided = true }: PrintFileRecord): number {
  return placement === 'cover' ? pageCount + (doubleSided ? 2 : 1) : pageCount;
}

type CopyWork = {
  store: ObjectStore;
  /** Returns a folder for temporary files, when they are needed. */
  makeFolder: () => Promise<string>;
  /** Draws the window of the envelope over the first page. Never for a copy that is printed. */
  hasWindowFrame?: boolean;
  /** The page of the copy, from 1, that a picture is drawn of: the others have no marks. Never for a printed copy. */
  onlyPage?: number;
  /** Ends the work at its next step, with the signal's reason. */
  signal?: AbortSignal;
};

/** A copy, as it is printed. */
export type ItemCopy = FileContent & { sha256: string; sizeBytes: number; pageCount: number };

/**
 * Makes the copy for one recipient: the print file with the address and the marks of its sheets. The same mail job and
 * item give the same bytes. Throws like `openItemCopies`.
 */
export async function makeItemCopy(
  job: Pick<CopySource, 'sender'>,
  { item, printFile }: ItemToCopy,
  work: CopyWork,
): Promise<ItemCopy> {
  const copyFor = await openItemCopies(job, printFile, work);
  return await copyFor(item);
}

/**
 * Fetches the print file of a job, and returns what makes the copies for its recipients. Throws the errors of the object
 * store, and an Error when the print file has another number of pages than its record: a child process wrote it, and the
 * marks of its sheets are drawn in this process.
 */
export async function openItemCopies(
  { sender }: Pick<CopySource, 'sender'>,
  printFile: PrintFileRecord,
  { store, makeFolder, hasWindowFrame = false, onlyPage, signal }: CopyWork,
): Promise<(item: MailItem) => Promise<ItemCopy>> {
  const file = await fetchPrintFile(printFile, store, makeFolder);
  signal?.throwIfAborted();
  const { scheme, placement, doubleSided, greyPages = [] } = printFile;
  const envelope = envelopeSchemes[scheme];
  const extraStamps = hasWindowFrame ? [windowFrame(envelope)] : [];
  const maker = await openCopyMaker(file, {
    ...{ scheme: envelope, placement, sender, doubleSided, extraStamps, greyPages },
    ...(onlyPage !== undefined && { onlyPage: onlyPage - 1 }),
  });
  signal?.throwIfAborted();
  const expectedPages = countCopyPages(printFile);
  if (maker.pageCount !== expectedPages) {
    throw new Error(`A print file makes copies of ${maker.pageCount} pages instead of ${expectedPages}.`);
  }
  return async (item) => {
    const { itemId } = item;
    const { tail, ...about } = maker.make({ itemId, address: item });
    const content = await appendTo(file, tail, async () => join(await makeFolder(), `${itemId}.pdf`));
    signal?.throwIfAborted();
    return { ...content, ...about };
  };
}

async function fetchPrintFile(
  { s3Key: key, sizeBytes }: PrintFileRecord,
  store: ObjectStore,
  makeFolder: () => Promise<string>,
): Promise<FileContent> {
  if (sizeBytes <= maxWarmBytes) return { bytes: await store.get({ key, maxBytes: sizeBytes }) };
  const path = join(await makeFolder(), 'print.pdf');
  await store.getToFile({ key, path, maxBytes: sizeBytes });
  return { path };
}
