import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Orientation, placeOnA4 } from '../../common/documents/place-on-a4.ts';

const mm = 72 / 25.4;
const side = fc.integer({ min: 1, max: 16_384 });
const orientation = fc.integer({ min: 1, max: 8 }) as fc.Arbitrary<Orientation>;

/** Where the corners of the unit square go. */
function corners([a, b, c, d, e, f]: readonly [number, number, number, number, number, number]) {
  return [
    [e, f],
    [a + e, b + f],
    [c + e, d + f],
    [a + c + e, b + d + f],
  ] as [number, number][];
}

describe('an image on its A4 page', () => {
  test('given any size and orientation, when placed, then it keeps its aspect and touches the 5 mm margin', () => {
    fc.assert(
      fc.property(side, side, orientation, (width, height, turned) => {
        const { pageWidth, pageHeight, matrix } = placeOnA4(width, height, turned);
        const xs = corners(matrix).map(([x]) => x);
        const ys = corners(matrix).map(([, y]) => y);
        const [left, right] = [Math.min(...xs), Math.max(...xs)];
        const [bottom, top] = [Math.min(...ys), Math.max(...ys)];

        const [seenWidth, seenHeight] = turned >= 5 ? [height, width] : [width, height];
        expect((right - left) * seenHeight).toBeCloseTo((top - bottom) * seenWidth, 3);
        const margins = [left, bottom, pageWidth - right, pageHeight - top];
        expect(Math.min(...margins)).toBeCloseTo(5 * mm, 6);
        expect(left).toBeCloseTo(pageWidth - right, 6);
        expect(bottom).toBeCloseTo(pageHeight - top, 6);
      }),
    );
  });

  test.each([
    ['an upright image', 300, 400, 1, 210, 297],
    ['a lying image', 400, 300, 1, 297, 210],
    ['a square', 400, 400, 1, 210, 297],
    ['a lying image seen upright', 400, 300, 6, 210, 297],
    ['an upright image seen lying', 300, 400, 8, 297, 210],
  ] as const)(
    'given %s, when placed, then the page lies or stands as fits best',
    (_title, w, h, turned, widthMm, heightMm) => {
      const { pageWidth, pageHeight } = placeOnA4(w, h, turned);
      expect(pageWidth / mm).toBeCloseTo(widthMm, 6);
      expect(pageHeight / mm).toBeCloseTo(heightMm, 6);
    },
  );
});
