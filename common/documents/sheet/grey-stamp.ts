import { pointsPerMm } from './a4.ts';
import { round, type Stamp } from './append-stamps.ts';
import type { PageGeometry } from './page-geometry.ts';

/** Beyond the page: programs leave pixels at the border of a stamp as they are. */
const bleedMm = 1;

/**
 * Returns what turns all that is under it on a page into shades of grey: white in the blend mode Saturation, which keeps
 * the luminosity (ISO 32000-1, 11.3.5.3).
 */
export function greyStamp({ visible, rotation, unitsPerMm }: PageGeometry): Stamp {
  const sides = [visible.right - visible.left, visible.top - visible.bottom].map((side) => side / unitsPerMm);
  const [width = 0, height = 0] = rotation % 180 === 0 ? sides : sides.toReversed();
  const boxMm = { x: -bleedMm, y: -bleedMm, width: width + 2 * bleedMm, height: height + 2 * bleedMm };
  const [right, top] = [boxMm.width, boxMm.height].map((side) => round(side * pointsPerMm));
  return {
    boxMm,
    content: `/Grey gs 1 g 0 0 ${right} ${top} re f`,
    resources: '<< /ExtGState << /Grey << /BM /Saturation >> >> >>',
  };
}
