import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { countSheets } from '#common/services.ts';
import type { FileContent } from '../file-content.ts';
import { type Stamp, startUpdate } from '../sheet/append-stamps.ts';
import type { EnvelopeScheme, Placement } from '../sheet/envelope-schemes.ts';
import { greyStamp } from '../sheet/grey-stamp.ts';
import { readPrintFile } from '../sheet/read-print-file.ts';
import { loadAddressFont } from './address-font.ts';
import { createAddressDrawer } from './address-stamps.ts';
import { drawSheetMark } from './sheet-mark.ts';

/** How the copies of a letter are addressed. */
export type CopyOptions = {
  scheme: EnvelopeScheme;
  /**
   * `page`: the address is drawn on page 1, whose window must be blank. `cover`: a cover page with the address is put in
   * front, on a sheet of its own. `none`: the document shows the address itself.
   */
  placement: Placement;
  sender: PostalAddress;
  /** Absent: printed on both sides. */
  doubleSided?: boolean | undefined;
  /** Indexes of the pages of the print file whose colours are printed in grey. */
  greyPages?: readonly number[];
  /** Drawn over the first page that a reader sees. For pictures only. */
  extraStamps?: readonly Stamp[];
  /** Index of the only page of the copy that is looked at: the other pages get no marks. For pictures only. */
  onlyPage?: number;
};

/** Who gets a copy. `itemId` is an id with its prefix, in lower case. */
export type CopyRecipient = { itemId: string; address: PostalAddress };

/** The copy of a recipient: the print file and these bytes after it. */
export type AddressedCopy = {
  tail: Buffer;
  pageCount: number;
  /** Size and SHA-256 (hexadecimal) of the whole copy. */
  sizeBytes: number;
  sha256: string;
};

/** Makes the copies of one print file. What they share is read once. */
export type CopyMaker = {
  /** Pages of each copy, the cover page and its back included. */
  pageCount: number;
  /** Throws an AddressFault when the address cannot be printed. The same input gives the same bytes. */
  make(recipient: CopyRecipient): AddressedCopy;
};

/**
 * Opens a print file for its copies. Throws an Error for a file that our writer did not write, and an AddressFault when
 * the sender's address cannot be printed.
 */
export async function openCopyMaker(printFile: FileContent, options: CopyOptions): Promise<CopyMaker> {
  const { scheme, placement, sender, doubleSided = true, extraStamps = [], onlyPage } = options;
  const greyPages = new Set(options.greyPages);
  const pagesPerSheet = doubleSided ? 2 : 1;
  const coverPages = placement === 'cover' ? pagesPerSheet : 0;
  const isFront = (index: number) => index % pagesPerSheet === 0;
  // Page 1 is always stamped, because an update without objects is not a valid PDF.
  const isStamped = (index: number) =>
    (isFront(index) || greyPages.has(index)) &&
    (onlyPage === undefined || index === 0 || index + coverPages === onlyPage);
  const [file, hash, font] = await Promise.all([
    readPrintFile(printFile, isStamped),
    startHash(printFile),
    loadAddressFont(),
  ]);
  const pageCount = file.pageCount + coverPages;
  const sheetCount = countSheets(pageCount, { doubleSided });
  const drawAddress = placement === 'none' ? null : createAddressDrawer(scheme, sender, font);

  return {
    pageCount,
    make({ itemId, address }) {
      const update = startUpdate(file);
      const stamps = drawAddress?.(update, address) ?? [];
      const stampsOfSheet = (sheet: number) => {
        const mark = drawSheetMark(itemId, sheet, sheetCount);
        return sheet === 1 ? [...stamps, mark, ...extraStamps] : [mark];
      };

      if (placement === 'cover') {
        update.addFrontPage(stampsOfSheet(1));
        if (doubleSided) update.addFrontPage([]);
      }
      for (const [index, { geometry }] of file.pages) {
        const grey = greyPages.has(index) ? [greyStamp(geometry)] : [];
        const marks = isFront(index) ? stampsOfSheet((index + coverPages) / pagesPerSheet + 1) : [];
        update.stampPage(index, [...grey, ...marks]);
      }

      const tail = update.finish();
      const sha256 = hash.copy().update(tail).digest('hex');
      return { tail, pageCount, sizeBytes: file.sizeBytes + tail.length, sha256 };
    },
  };
}

/** The hash of the print file, which the hash of each copy begins with. */
async function startHash(content: FileContent): Promise<Hash> {
  const hash = createHash('sha256');
  if ('bytes' in content) return hash.update(content.bytes);
  for await (const chunk of createReadStream(content.path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash;
}
