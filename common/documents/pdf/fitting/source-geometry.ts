import { PDFArray, PDFNumber, type PDFObject } from '@cantoo/pdf-lib';
import type { PdfSource, SourcePage } from '../pdf-source.ts';
import type { Rotation, Sides, SourceGeometry } from './fit-to-a4.ts';

/** The size that PDF readers assume when a page has none: US Letter. */
const defaultMediaBox = [0, 0, 612, 792].map((side) => PDFNumber.of(side));
const boxes = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'] as const;
const note = 'BJ_Fitted';

/** The largest page that readers show, in units and in points. */
const maxSide = 14_400;
/** A page below this has no area, in points. */
const minSide = 0.03;
/** The largest unit that readers know, in 1/72 inch. */
const maxUnit = 75_000;
/** Readers compute with 32-bit floats: further from the origin they are not exact. */
const maxCoordinate = 1_000_000;

/** Returns the entries of a page about its size and rotation, without one of them, and how it was fitted if wanted. */
export function writeGeometry(
  page: SourcePage,
  { resolve }: PdfSource,
  { omits, keepsNote = false }: { omits?: 'Rotate'; keepsNote?: boolean } = {},
): string {
  let words = '';
  for (const box of boxes) {
    const sides = readNumbers(page.get(box), 4, resolve);
    if (sides) words += ` /${box} [${sides.join(' ')}]`;
    else if (box === 'MediaBox') words += ` /MediaBox [${defaultMediaBox.join(' ')}]`;
  }
  for (const key of ['Rotate', 'UserUnit']) {
    const value = resolve(page.get(key));
    if (key !== omits && value instanceof PDFNumber) words += ` /${key} ${value}`;
  }
  const fitted = keepsNote ? readNumbers(page.get(note), 4, resolve) : null;
  return fitted ? `${words} /${note} [${fitted.join(' ')}]` : words;
}

/**
 * Returns what a reader sees of a page: the CropBox within the MediaBox, rotated (ISO 32000-1, 14.11.2). Null for a page
 * that readers show in different ways or not at all: without area, larger than 14,400 units or points, or rotated by
 * something else than quarter turns.
 */
export function readSourceGeometry(page: SourcePage, { resolve }: PdfSource): SourceGeometry | null {
  const readBox = (key: string) => toSides(readNumbers(page.get(key), 4, resolve));
  const media = readBox('MediaBox') ?? toSides(defaultMediaBox);
  const given = readBox('CropBox');
  // A CropBox without area counts as absent, as readers do.
  const crop = given && intersect(given, given);
  const visible = media && intersect(media, crop ?? media);
  const degrees = readNumber(page.get('Rotate'), resolve) ?? 0;
  const rotation = ((degrees % 360) + 360) % 360;
  const unitEntry = readNumber(page.get('UserUnit'), resolve) ?? 1;
  const unit = unitEntry > 0 ? unitEntry : 1;
  if (!visible || rotation % 90 !== 0) return null;

  const sides = [visible.right - visible.left, visible.top - visible.bottom];
  const isShown =
    Object.values(visible).every((at) => Math.abs(at) <= maxCoordinate) &&
    sides.every((side) => side * unit >= minSide && side * Math.max(1, unit) <= maxSide);
  if (!isShown || unit > maxUnit) return null;
  const isWhole = (['left', 'bottom', 'right', 'top'] as const).every((side) => visible[side] === media?.[side]);
  return { visible, rotation: rotation as Rotation, unit, isCropped: !isWhole || (given !== null && crop === null) };
}

/** Returns an array of exactly `count` numbers, or null. */
export function readNumbers(
  object: PDFObject | undefined,
  count: number,
  resolve: PdfSource['resolve'],
): PDFNumber[] | null {
  const array = resolve(object);
  if (!(array instanceof PDFArray) || array.size() !== count) return null;
  const numbers = array.asArray().map(resolve);
  return numbers.every((number) => number instanceof PDFNumber) ? numbers : null;
}

function readNumber(object: PDFObject | undefined, resolve: PdfSource['resolve']): number | null {
  const number = resolve(object);
  return number instanceof PDFNumber ? number.asNumber() : null;
}

/** Returns the sides of a rectangle, whose corners are in any order. */
export function toSides(numbers: readonly PDFNumber[] | null): Sides | null {
  if (!numbers) return null;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers.map((number) => number.asNumber());
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

/** Returns what two boxes share; null when that has no area. */
export function intersect(one: Sides, other: Sides): Sides | null {
  const left = Math.max(one.left, other.left);
  const bottom = Math.max(one.bottom, other.bottom);
  const right = Math.min(one.right, other.right);
  const top = Math.min(one.top, other.top);
  return left < right && bottom < top ? { left, bottom, right, top } : null;
}
