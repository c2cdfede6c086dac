import { a4, isA4, pointsPerMm } from '#common/documents/sheet/a4.ts';

/** Left, bottom, right and top in units of the page. */
export type Sides = { left: number; bottom: number; right: number; top: number };
/** Clockwise, in degrees. */
export type Rotation = 0 | 90 | 180 | 270;

/** What a reader sees of a page: `visible`, rotated. */
export type SourceGeometry = {
  visible: Sides;
  rotation: Rotation;
  /** The size of the page's units in 1/72 inch (`UserUnit`). */
  unit: number;
  /** Whether only a CropBox hides a part of the page: printers that go by the MediaBox would show it. */
  isCropped: boolean;
};

/** Maps what a page draws to its sheet, in units of 1/72 inch: x' = `scale` x + `dx`, y' = `scale` y + `dy`. */
export type Placing = {
  scale: number;
  dx: number;
  dy: number;
  /** What is visible of the page. All else stays hidden. */
  clip: Sides;
  /** The new MediaBox, from 0, 0, before the page is rotated. */
  sheet: { width: number; height: number };
};

/** How a page was changed. Lengths are those of the page as a reader saw it before. */
export type FitNote = { widthMm: number; heightMm: number; turnedDegrees: 0 | 270; scalePercent: number };

export type Fit = {
  rotation: Rotation;
  /** Null when boxes and content stay as they are. */
  placing: Placing | null;
  /** Null when a reader sees no change. */
  note: FitNote | null;
};

/** A5 needs 1.42. Anything smaller is a card or a photo, which would look coarse. */
const maxEnlargement = 1.5;
/** Most that an enlarged page leaves blank along a side. Narrower pages are receipts and slips, which keep their size. */
const leastFilled = 0.75;
/** The top of a turned page is at the left of the sheet. */
const turn = 270;

/**
 * Returns how a page becomes A4 in portrait, the only sheet that is printed; null when it is that already. A page is
 * turned when it is larger on the sheet then, reduced to fit, and centred. Pages shaped like a letter are enlarged by at
 * most 1.5. The aspect ratio is kept. Units other than 1/72 inch are replaced, because many readers ignore them, and so is
 * a CropBox, because printers may go by the MediaBox.
 */
export function fitToA4({ visible, rotation, unit, isCropped }: SourceGeometry): Fit | null {
  const isPlain = unit === 1 && !isCropped;
  const [across, up] = [visible.right - visible.left, visible.top - visible.bottom].map((side) => side * unit) as [
    number,
    number,
  ];
  const [width, height] = rotation % 180 === 0 ? [across, up] : [up, across];
  const [widthMm, heightMm] = [width / pointsPerMm, height / pointsPerMm];
  if (isA4({ widthMm, heightMm })) return isPlain ? null : { rotation, placing: keepSize(), note: null };

  const isLandscape = isA4({ widthMm: heightMm, heightMm: widthMm });
  const [upright, turned] = [scaleFor(widthMm, heightMm), scaleFor(heightMm, widthMm)];
  const isTurned = isLandscape || turned > upright;
  const turnedDegrees = isTurned ? turn : 0;
  const fitted = ((rotation + turnedDegrees) % 360) as Rotation;
  const note = (scale: number): FitNote => ({ widthMm, heightMm, turnedDegrees, scalePercent: scale * 100 });
  if (isLandscape) return { rotation: fitted, placing: isPlain ? null : keepSize(), note: note(1) };

  const scale = isTurned ? turned : upright;
  const [shortSide, longSide] = [a4.widthMm * pointsPerMm, a4.heightMm * pointsPerMm];
  const sheet = fitted % 180 === 0 ? { width: shortSide, height: longSide } : { width: longSide, height: shortSide };
  return { rotation: fitted, placing: place(scale, sheet), note: note(scale) };

  /** Beyond A4 by up to the tolerance: a sheet of exactly A4 would crop the page. */
  function keepSize(): Placing {
    return place(1, { width: across, height: up });
  }

  function place(factor: number, onSheet: Placing['sheet']): Placing {
    return {
      scale: factor * unit,
      dx: (onSheet.width - across * factor) / 2 - visible.left * factor * unit,
      dy: (onSheet.height - up * factor) / 2 - visible.bottom * factor * unit,
      clip: visible,
      sheet: onSheet,
    };
  }
}

/** Returns the factor by which a page of this size is scaled to A4 in portrait. */
function scaleFor(widthMm: number, heightMm: number): number {
  const [horizontal, vertical] = [a4.widthMm / widthMm, a4.heightMm / heightMm];
  const fitting = Math.min(horizontal, vertical);
  const isLetter = fitting <= maxEnlargement && fitting >= leastFilled * Math.max(horizontal, vertical);
  return fitting <= 1 || isLetter ? fitting : 1;
}

/** Returns where a box is after its page was fitted. */
export function placeSides({ left, bottom, right, top }: Sides, placing: Placing | null): Sides {
  if (!placing) return { left, bottom, right, top };
  const { scale, dx, dy } = placing;
  return { left: left * scale + dx, bottom: bottom * scale + dy, right: right * scale + dx, top: top * scale + dy };
}

/** Writes a number below 10^21 as PDF syntax, without an exponent. */
export function toPdfNumber(value: number, digits = 4): string {
  return value.toFixed(digits).replace(/\.?0+$/, '');
}
