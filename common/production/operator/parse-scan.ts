import { isId } from '#common/ids.ts';

/** What a mark says. `sheet` and `sheets` are null when only the id was typed. */
export type ScannedMark =
  | { kind: 'item'; itemId: string; sheet: number | null; sheets: number | null }
  | { kind: 'batch'; batchId: string };

/** An AIM symbology identifier, which some scanners send first: `]d1` is a data matrix, `]C0` a Code 128. */
const symbology = /^\][A-Za-z]\d/;
const controlCharacters = /\p{Cc}+/gu;
const pattern = /^(?:BJ1 )?((?:MI|BAT)_[0-9A-Z]{26})(?: ([1-9]\d{0,3})\/([1-9]\d{0,3}))?$/i;

/**
 * Reads the mark of a sheet or of a batch's papers, as a scanner types it or a person writes the id. Ignores case, control
 * characters and spaces around it. Returns null for anything else.
 */
export function parseScan(typed: string): ScannedMark | null {
  const text = dropScannerCodes(typed).replaceAll(/ +/g, ' ');
  const [, upperId = '', sheetText, sheetsText] = pattern.exec(text) ?? [];
  const id = upperId.toLowerCase();
  if (isId('bat', id)) return { kind: 'batch', batchId: id };
  if (!isId('mi', id)) return null;
  const [sheet, sheets] = [sheetText, sheetsText].map((digits) => (digits === undefined ? null : Number(digits)));
  if (sheet != null && sheets != null && sheet > sheets) return null;
  return { kind: 'item', itemId: id, sheet: sheet ?? null, sheets: sheets ?? null };
}

/** Returns what a scanner read, without the control characters and the symbology identifier that it may send. */
export function dropScannerCodes(typed: string): string {
  return typed.replaceAll(controlCharacters, ' ').trim().replace(symbology, '').trim();
}
