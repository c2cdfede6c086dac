import { z } from 'zod';
import { parseLabel } from './parse-label.ts';

/** What a carrier reports about one item. */
export type CarrierLine = {
  /** Where it is in the file, from 1 with the header. */
  line: number;
  trackingNumber: string;
  /** `delivered` moves the item. All others are only recorded. */
  event: string;
  at: Date;
  reason: CarrierReason;
};
/** Why, in the carrier's own code and words. */
type CarrierReason = { reasonCode?: string; reasonText?: string };
export type BadLine = { line: number; problem: string };

/** A carrier file: what it says and which lines cannot be taken, or why none of it can. */
type CarrierFile = { lines: CarrierLine[]; bad: BadLine[] } | { problem: string };

export const carrierHeader = 'trackingNumber,event,at';
const reasonHeader = `${carrierHeader},reasonCode,reasonText`;
export const maxCarrierLines = 50_000;
const maxLineLength = 300;

/**
 * Parses a carrier file: text in UTF-8 with the header `trackingNumber,event,at`, to which `reasonCode,reasonText` may be
 * added, a line for each event, lines ended by LF or CRLF, fields without or in double quotes. Empty lines are left out.
 */
export function parseCarrierFile(bytes: Uint8Array): CarrierFile {
  let text: string;
  try {
    // Drops a byte order mark.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { problem: 'The file is not text in UTF-8.' };
  }
  // The header, the lines, the empty text after the last one, and one too many.
  const [header = '', ...rows] = text.split('\n', maxCarrierLines + 3).map((row) => row.replace(/\r$/, ''));
  const columns = readCells(header);
  if (![carrierHeader, reasonHeader].includes(columns.join(',')))
    return { problem: `The first line is not ${carrierHeader}, with or without reasonCode,reasonText.` };
  if (rows.at(-1) === '') rows.pop();
  if (rows.length > maxCarrierLines) return { problem: `The file has more than ${maxCarrierLines} lines.` };
  const file: CarrierFile = { lines: [], bad: [] };
  for (const [index, row] of rows.entries()) {
    if (row === '') continue;
    const line = index + 2;
    const parsed = parseLine(row, columns.length);
    if ('problem' in parsed) file.bad.push({ line, problem: parsed.problem });
    else file.lines.push({ line, ...parsed });
  }
  return file;
}

const Event = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'The event is not a word of 1 to 40 characters: a to z, digits, dashes.');
const Moment = z.iso.datetime({ offset: true, error: 'The time is not one like 2026-05-04T09:30:00+02:00.' });

const Code = z.string().regex(/^[\w.-]{0,20}$/, 'The reason code is not one of at most 20 letters and digits.');
const Words = z.string().regex(/^\P{C}{0,100}$/u, 'The reason is not a text of at most 100 characters.');

function parseLine(row: string, columnCount: number): Omit<CarrierLine, 'line'> | { problem: string } {
  if (row.length > maxLineLength) return { problem: `The line has more than ${maxLineLength} characters.` };
  const cells = readCells(row);
  if (cells.length !== columnCount) return { problem: `The line has not ${columnCount} fields but ${cells.length}.` };
  const [number = '', event = '', at = '', reasonCode = '', reasonText = ''] = cells;
  const label = parseLabel(number);
  if ('problem' in label) return label;
  const parsed = z.tuple([Event, Moment, Code, Words]).safeParse([event, at, reasonCode, reasonText]);
  if (!parsed.success) return { problem: parsed.error.issues.map(({ message }) => message).join(' ') };
  const reason = { ...(reasonCode !== '' && { reasonCode }), ...(reasonText !== '' && { reasonText }) };
  return { trackingNumber: label.tracking.number, event, at: new Date(at), reason };
}

/** A quote in a quoted field is doubled. */
function readCells(row: string): string[] {
  const cells = `,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/g);
  return Array.from(cells, ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
