import type { FitNote } from '#common/documents/pdf/fitting/fit-to-a4.ts';
import { type SourceNote, sourceNotes } from '#common/documents/pdf/source-notes.ts';

/** A print file is written by `pdf/pdf-writer.ts`: plain objects, one cross-reference table, the page tree as object 2. */
const pageTree = /^2 0 obj\n<< \/Type \/Pages \/Count \d+ \/Kids \[([\d R]*)\]/;
const pageWithUnit = /^\d+ 0 obj\n<< \/Type \/Page \/Parent 2 0 R[^<>]*? \/UserUnit ([\d.]+) /;
const fittedPage =
  /^\d+ 0 obj\n<< \/Type \/Page \/Parent 2 0 R[^<>]*? \/BJ_Fitted \[(\d+\.?\d*) (\d+\.?\d*) (0|270) (\d+\.?\d*)\] /;
const notedPage = /^\d+ 0 obj\n<< \/Type \/Page \/Parent 2 0 R[^<>]*? \/BJ_Notes \[([/a-z ]*)\] /;
const tableHead = /^xref\n0 (\d+)\n/;
const pagesNumber = 2;
const entryBytes = 20;
/** The geometry of a page has six arrays of four numbers at most. */
const maxPageHeadBytes = 2_048;
const maxPageTreeBytes = 64 * 1024;
const maxTailBytes = 64;

/** What PDFium does not know of a page. */
export type PageEntries = {
  /** The size of its unit in 1/72 inch (`UserUnit`, ISO 32000-1, 14.11.2), which PDFium ignores. */
  userUnit: number;
  /** Null for a page that was A4 already. */
  fitted: FitNote | null;
  /** About the file that it is the first page of. */
  notes: SourceNote[];
};

/**
 * Returns what pages say about themselves beside their content. For a file that the product did not write, each page has
 * the usual unit and was not fitted.
 */
export function readPageEntries(pdf: Uint8Array): (pageIndex: number) => PageEntries {
  const file = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  const hasEntries = ['/UserUnit ', '/BJ_Fitted ', '/BJ_Notes '].some((entry) => file.includes(entry));
  const numbers = hasEntries ? readPageNumbers(file) : null;
  return (pageIndex) => {
    const pageNumber = numbers?.[pageIndex];
    const head = pageNumber === undefined ? '' : readObject(file, pageNumber, maxPageHeadBytes);
    const unit = Number(pageWithUnit.exec(head)?.[1] ?? 1);
    const words = notedPage.exec(head)?.[1]?.split(/[/ ]+/) ?? [];
    const notes = sourceNotes.filter((note) => words.includes(note));
    return { userUnit: Number.isFinite(unit) && unit > 0 ? unit : 1, fitted: readFitted(head), notes };
  };
}

function readFitted(head: string): FitNote | null {
  const [, width, height, degrees, percent] = fittedPage.exec(head) ?? [];
  if (degrees === undefined) return null;
  const [widthMm, heightMm, scalePercent] = [Number(width), Number(height), Number(percent)];
  return { widthMm, heightMm, turnedDegrees: degrees === '270' ? 270 : 0, scalePercent };
}

function readPageNumbers(file: Buffer): number[] {
  const kids = pageTree.exec(readObject(file, pagesNumber, maxPageTreeBytes))?.[1] ?? '';
  return kids.split(' R').flatMap((ref) => (ref.trim() === '' ? [] : [Number.parseInt(ref, 10)]));
}

/** Returns the start of an object, as far as the file says where it is. */
function readObject(file: Buffer, objectNumber: number, maxBytes: number): string {
  const tail = file.toString('latin1', Math.max(0, file.length - maxTailBytes));
  const tableAt = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(tail)?.[1] ?? Number.NaN);
  const head = Number.isFinite(tableAt)
    ? tableHead.exec(file.toString('latin1', tableAt, tableAt + maxTailBytes))
    : null;
  if (!head || objectNumber >= Number(head[1])) return '';
  const entryAt = tableAt + head[0].length + objectNumber * entryBytes;
  const offset = Number.parseInt(file.toString('latin1', entryAt, entryAt + 10), 10);
  return Number.isFinite(offset) ? file.toString('latin1', offset, offset + maxBytes) : '';
}
