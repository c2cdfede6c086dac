import { type BoxMm, pointsPerMm } from './a4.ts';
import type { Entries } from './parse-dictionary.ts';

/** Left, bottom, right and top in units of the page. */
type Sides = { left: number; bottom: number; right: number; top: number };

/** How a reader sees a page. */
export type PageGeometry = {
  /** What is visible, in units of the page, before the page is rotated. */
  visible: Sides;
  /** Clockwise, in degrees. */
  rotation: 0 | 90 | 180 | 270;
  /** Units of the page per millimetre. */
  unitsPerMm: number;
};

const number = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)';
const numberPattern = new RegExp(`^${number}$`);
const boxPattern = new RegExp(`^\\[\\s*(${number})\\s+(${number})\\s+(${number})\\s+(${number})\\s*\\]$`);
/** Far over the 14,400 units of the largest page that readers show. */
const maxUnits = 1_000_000;

/**
 * Returns the geometry of a page by its entries. The visible part is the CropBox within the MediaBox (ISO 32000-1,
 * 14.11.2), or the MediaBox when they do not overlap. Throws an Error for a page without a MediaBox or area and for invalid
 * numbers. Ignores a rotation that is not a multiple of 90°. A unit that is not positive counts as 1/72 inch.
 */
export function readGeometry(entries: Entries): PageGeometry {
  const media = readBox(entries.get('MediaBox'));
  const crop = entries.has('CropBox') ? readBox(entries.get('CropBox')) : media;
  const visible = intersect(media, crop) ?? media;
  if (visible.left >= visible.right || visible.bottom >= visible.top) throw new Error('Invalid page: no area');
  const turn = readNumber(entries.get('Rotate') ?? '0') % 360;
  const rotation = turn < 0 ? turn + 360 : turn;
  const unit = readNumber(entries.get('UserUnit') ?? '1');
  return {
    visible,
    rotation: rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0,
    unitsPerMm: pointsPerMm / (unit > 0 ? unit : 1),
  };
}

function readNumber(text: string): number {
  const value = numberPattern.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) <= maxUnits)) throw new Error(`Invalid page: the number ${text.slice(0, 40)}`);
  return value;
}

function readBox(text: string | undefined): Sides {
  const [, x1 = '', y1 = '', x2 = '', y2 = ''] = boxPattern.exec(text ?? '') ?? [];
  const [a, b, c, d] = [readNumber(x1), readNumber(y1), readNumber(x2), readNumber(y2)];
  return { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
}

function intersect(a: Sides, b: Sides): Sides | null {
  const left = Math.max(a.left, b.left);
  const bottom = Math.max(a.bottom, b.bottom);
  const right = Math.min(a.right, b.right);
  const top = Math.min(a.top, b.top);
  return left < right && bottom < top ? { left, bottom, right, top } : null;
}

/** Returns the rectangle of the page, in its units, where a reader sees `box`. */
export function toPageRect({ visible, rotation, unitsPerMm }: PageGeometry, box: BoxMm): Sides {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((mm) => mm * unitsPerMm) as [
    number,
    number,
    number,
    number,
  ];
  const { left, bottom, right, top } = visible;
  switch (rotation) {
    case 0:
      return { left: left + x, bottom: top - y - height, right: left + x + width, top: top - y };
    case 90:
      return { left: left + y, bottom: bottom + x, right: left + y + height, top: bottom + x + width };
    case 180:
      return { left: right - x - width, bottom: bottom + y, right: right - x, top: bottom + y + height };
    case 270:
      return { left: right - y - height, bottom: top - x - width, right: right - y, top: top - x };
  }
}
