import { createHash } from 'node:crypto';

/** The print file that a copy begins with. */
export type PdfBase = {
  /** Equal for equal bytes only. */
  key: string;
  /** Objects with a lower number are the same in every copy, except pages and page tree, which `copyPages` writes again. */
  objectCount: number;
};

const tailBytes = 256;
const updateEnd = /trailer\n<< \/Size \d{1,10} \/Root 1 0 R \/Prev (\d{1,10}) >>\nstartxref\n\d{1,10}\n%%EOF\n$/;
const baseTable = /^xref\n0 (\d{1,10})\n/;
const entryBytes = 20;

/** Returns the print file of a copy that `startUpdate` (`append-stamps.ts`) made. Null for any other file. */
export function findBase(file: Uint8Array): PdfBase | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const [, position] = updateEnd.exec(bytes.toString('latin1', Math.max(0, bytes.length - tailBytes))) ?? [];
  if (position === undefined) return null;
  const tableAt = Number(position);
  const [head, count] = baseTable.exec(bytes.toString('latin1', tableAt, tableAt + tailBytes)) ?? [];
  if (head === undefined) return null;
  const objectCount = Number(count);
  const end = tableAt + head.length + objectCount * entryBytes;
  return { key: createHash('sha256').update(bytes.subarray(0, end)).digest('hex'), objectCount };
}
