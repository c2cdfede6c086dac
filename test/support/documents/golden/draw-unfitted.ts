import { PDFArray, PDFDocument, PDFName, type PDFNumber, type PDFPage } from '@cantoo/pdf-lib';
import { drawGrey, type GreyPage } from '../draw-grey.ts';

const dotsPerInch = 50;
const pointsPerMm = 72 / 25.4;
const a4 = { width: 210 * pointsPerMm, height: 297 * pointsPerMm };
/** The note about a scale is rounded to tenths of a percent. */
const roundedPercent = 0.051;
/**
 * Poppler rounds places of images down to whole pixels, and sizes of pages up. So that rounded numbers in the print file
 * do not change either, a region begins as many points before its first pixel, and ends before its last.
 */
const rounding = { before: 0.001, after: 0.01 };

/** A page of a print file, drawn as if it had not been fitted to A4, and whether the sheet around it is blank. */
type UnfittedPage = { page: GreyPage; isBlankAround: boolean };

/**
 * Draws each page of a print file in the size and direction of the original page, in its pixels at 50 dots per inch.
 * `units` are the `UserUnit` of the original pages, which poppler ignores. Throws if a fitted page is not in the middle
 * of an A4 sheet in portrait, or as large as fits or unscaled.
 */
export async function drawUnfitted(print: Uint8Array, units: readonly number[]): Promise<UnfittedPage[]> {
  const document = await PDFDocument.load(print);
  const regions = document.getPages().map((page) => cropToRegion(page));
  const cropped = await document.save();
  const sheets = await drawGrey(print, dotsPerInch);

  return await Promise.all(
    regions.map(async (region, index) => {
      const sheet = sheets[index]!;
      if (!region) return { page: sheet, isBlankAround: true };
      const resolution = dotsPerInch / region.scale / (units[index] ?? 1);
      const [drawn] = await drawGrey(cropped, resolution, { from: index + 1, to: index + 1 });
      return { page: drawn!, isBlankAround: isBlankAround(sheet, region) };
    }),
  );
}

/** The part of a sheet that a page fills, in points as a reader sees it. */
type Region = { width: number; height: number; scale: number };

/** Crops a page to what was the original page, and turns it back. Null for a page that was not fitted. */
function cropToRegion(page: PDFPage): Region | null {
  const note = page.node.lookup(PDFName.of('BJ_Fitted'));
  if (!(note instanceof PDFArray)) return null;
  const [widthMm = 0, heightMm = 0, degrees, percent = 0] = note
    .asArray()
    .map((entry) => (entry as PDFNumber).asNumber());
  const sides = [widthMm * pointsPerMm, heightMm * pointsPerMm];
  const [width = 0, height = 0] = degrees === 270 ? sides.reverse() : sides;
  const fitting = Math.min(a4.width / width, a4.height / height);
  const scale = Math.abs(fitting * 100 - percent) < roundedPercent ? fitting : 1;
  const isSideways = page.getRotation().angle % 180 !== 0;
  const sheet = page.getMediaBox();
  const seen = isSideways ? { width: sheet.height, height: sheet.width } : sheet;
  if (page.node.has(PDFName.of('UserUnit'))) throw new Error('A fitted page has units of its own.');
  if (Math.abs(scale * 100 - percent) >= roundedPercent || scale > fitting * 1.0001) throw new Error('Not fitted.');
  if (Math.abs(seen.width - a4.width) > 1 || Math.abs(seen.height - a4.height) > 1) throw new Error('Not A4.');

  const region = { width: width * scale, height: height * scale };
  const [across, up] = isSideways ? [region.height, region.width] : [region.width, region.height];
  const left = sheet.x + (sheet.width - across) / 2;
  const bottom = sheet.y + (sheet.height - up) / 2;
  const original = (page.getRotation().angle - (degrees ?? 0) + 720) % 360;
  page.setRotation({ ...page.getRotation(), angle: original });
  const { before, after } = rounding;
  const [startsLeft, startsBottom] = [original < 180, original === 90 || original === 180];
  page.setCropBox(
    left + (startsLeft ? -before : after),
    bottom + (startsBottom ? -before : after),
    across + before - after,
    up + before - after,
  );
  return { ...region, scale };
}

/** Returns whether a sheet is white outside of a centred region, a pixel at its border apart. */
function isBlankAround({ width, height, pixels }: GreyPage, region: Region): boolean {
  const scale = dotsPerInch / 72;
  const [halfWidth, halfHeight] = [(region.width * scale) / 2 + 1, (region.height * scale) / 2 + 1];
  return pixels.every((level, i) => {
    const [x, y] = [(i % width) + 0.5 - width / 2, Math.floor(i / width) + 0.5 - height / 2];
    return level === 255 || (Math.abs(x) <= halfWidth && Math.abs(y) <= halfHeight);
  });
}
