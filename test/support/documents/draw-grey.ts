import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

/** A drawn page: a byte per pixel from black (0) to white (255), row by row from the top left. */
export type GreyPage = { width: number; height: number; pixels: Buffer };

const header = /^P5\n(\d+) (\d+)\n255\n/;

/**
 * Draws pages of a PDF, numbered from 1, by poppler, a reader that the product does not use. Draws the CropBox. Throws when
 * poppler finds an error in the file.
 */
export async function drawGrey(
  pdf: Uint8Array,
  dotsPerInch = 50,
  range?: { from: number; to: number },
): Promise<GreyPage[]> {
  const only = range ? ['-f', String(range.from), '-l', String(range.to)] : [];
  const program = spawn('pdftoppm', ['-r', String(dotsPerInch), '-gray', '-cropbox', ...only, '-']);
  program.stdin.end(pdf);
  const [drawn, errors] = await Promise.all([buffer(program.stdout), text(program.stderr)]);
  if (errors !== '') throw new Error(errors);
  let rest = drawn;

  const pages: GreyPage[] = [];
  while (rest.length > 0) {
    const [head, width, height] = header.exec(rest.toString('latin1', 0, 32)) ?? [];
    if (head === undefined) throw new Error('pdftoppm gave something else than grey pages.');
    const page = { width: Number(width), height: Number(height) };
    const end = head.length + page.width * page.height;
    pages.push({ ...page, pixels: rest.subarray(head.length, end) });
    rest = rest.subarray(end);
  }
  return pages;
}

/** Returns the share of pixels, 0 to 1, that differ by more than `levels` of 255. The pages have the same size. */
export function differingShare(one: GreyPage, other: GreyPage, levels: number): number {
  let differing = 0;
  for (const [i, level] of one.pixels.entries()) {
    if (Math.abs(level - (other.pixels[i] ?? 0)) > levels) differing += 1;
  }
  return differing / one.pixels.length;
}
