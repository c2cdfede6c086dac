// Level: unit
import { fitToA4, type SourceGeometry } from '#common/documents/pdf/fitting/fit-to-a4.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const pointsPerMm = 72 / 25.4;

function page(widthMm: number, heightMm: number, rest: Partial<SourceGeometry> = {}): SourceGeometry {
  const { unit = 1 } = rest;
  const [right, top] = [(widthMm * pointsPerMm) / unit, (heightMm * pointsPerMm) / unit];
  return { visible: { left: 0, bottom: 0, right, top }, rotation: 0, unit, isCropped: false, ...rest };
}

describe('the way a page is fitted to A4', () => {
  test.each([
    ['A4', 210, 297],
    ['2 mm larger', 211.99, 298.99],
    ['2 mm smaller', 208.01, 295.01],
  ])('%s is not changed', (_name, width, height) => {
    expect(fitToA4(page(width, height))).toBeNull();
  });

  test.each([
    { name: 'US Letter', size: [215.9, 279.4], turned: 0, percent: 97.27 },
    { name: 'US Letter in landscape', size: [279.4, 215.9], turned: 270, percent: 97.27 },
    { name: 'US Legal', size: [215.9, 355.6], turned: 0, percent: 83.52 },
    { name: 'A3', size: [297, 420], turned: 0, percent: 70.71 },
    { name: 'A3 in landscape', size: [420, 297], turned: 270, percent: 70.71 },
    { name: 'A5', size: [148, 210], turned: 0, percent: 141.43 },
    { name: 'A5 in landscape', size: [210, 148], turned: 270, percent: 141.43 },
    { name: 'A4 in landscape', size: [297, 210], turned: 270, percent: 100 },
    { name: 'a page 2.1 mm wider than A4', size: [212.1, 297], turned: 0, percent: 99.01 },
    { name: 'a page 5 mm narrower than A4', size: [205, 297], turned: 0, percent: 100 },
    { name: 'a postcard', size: [105, 148], turned: 0, percent: 100 },
    { name: 'a postcard in landscape', size: [148, 105], turned: 0, percent: 100 },
    { name: 'a card', size: [85, 55], turned: 0, percent: 100 },
    { name: 'a receipt', size: [80, 250], turned: 0, percent: 100 },
    { name: 'a long receipt', size: [80, 594], turned: 0, percent: 50 },
    { name: 'a slip', size: [210, 99], turned: 0, percent: 100 },
    { name: 'a wide strip', size: [250, 80], turned: 270, percent: 100 },
    { name: 'the largest page', size: [5080, 5080], turned: 0, percent: 4.13 },
  ])('$name: turned by $turned degrees, at $percent %', ({ size: [width = 0, height = 0], turned, percent }) => {
    const note = fitToA4(page(width, height))?.note;
    expect(note?.turnedDegrees).toBe(turned);
    expect(note?.scalePercent).toBeCloseTo(percent, 1);
    expect([note?.widthMm, note?.heightMm]).toEqual([expect.closeTo(width), expect.closeTo(height)]);
  });

  test('whatever the size, a page is on the sheet completely, in the middle, and as large as said', () => {
    for (let width = 1; width < 1500; width *= 1.13) {
      for (let height = 1; height < 1500; height *= 1.17) {
        for (const rotation of [0, 90, 180, 270] as const) {
          const before = page(width, height, { rotation, unit: 2 });
          const fit = fitToA4(before);
          if (!fit?.placing) continue;
          const { scale, dx, dy, sheet } = fit.placing;
          const { right, top } = before.visible;
          expect(Math.min(dx, dy)).toBeGreaterThan(-0.001);
          expect(dx + right * scale + dx).toBeCloseTo(sheet.width, 3);
          expect(dy + top * scale + dy).toBeCloseTo(sheet.height, 3);
          if (fit.note) expect(scale).toBeCloseTo((2 * fit.note.scalePercent) / 100, 6);
          const isUpright = fit.rotation % 180 === 0 ? sheet.height > sheet.width : sheet.width > sheet.height;
          expect(isUpright).toBe(true);
        }
      }
    }
  });

  test('an A4 part of a larger page becomes a page of its own, so that no printer shows the rest', () => {
    const visible = { left: 100, bottom: 100, right: 695.28, top: 941.89 };
    expect(fitToA4({ visible, rotation: 0, unit: 1, isCropped: true })).toMatchObject({
      placing: { scale: 1, dx: -100, dy: -100, clip: visible },
      note: null,
    });
    expect(fitToA4(page(297, 210, { isCropped: true }))?.placing?.scale).toBe(1);
  });

  test('a unit of the page is replaced, and the size that readers see stays', () => {
    const fit = fitToA4(page(210, 297, { unit: 2 }));
    expect(fit).toMatchObject({ rotation: 0, note: null, placing: { scale: 2, dx: 0, dy: 0 } });
    expect(fitToA4(page(211, 298, { unit: 2 }))?.placing?.sheet.width).toBeCloseTo(211 * pointsPerMm);
  });
});
