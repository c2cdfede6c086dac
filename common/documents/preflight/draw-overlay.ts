import type { FileContent } from '../file-content.ts';
import { a4, type BoxMm, edgeMm, pointsPerMm } from '../sheet/a4.ts';
import { round, type Stamp, startUpdate } from '../sheet/append-stamps.ts';
import { type EnvelopeScheme, sheetMarkBox } from '../sheet/envelope-schemes.ts';
import { readPrintFile } from '../sheet/read-print-file.ts';
import type { Finding, Severity } from './finding.ts';

type Colour = readonly [red: number, green: number, blue: number];

const windowColour: Colour = [0.12, 0.37, 0.72];
const zoneColour: Colour = [0.45, 0.62, 0.85];
const edgeColour: Colour = [0.62, 0.66, 0.7];
const severityColours: Record<Severity, Colour> = {
  error: [0.78, 0.11, 0.15],
  warning: [0.85, 0.47, 0.02],
  info: [0.12, 0.45, 0.3],
};
/** Size of the field with the number of a finding. */
const labelMm = { width: 5, height: 4 };
const labelPoints = 8;
/** Height and width of a digit in Helvetica Bold, in parts of its size. */
const digit = { height: 0.72, width: 0.556 };
const labelFont = '<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >> >>';
const printable: BoxMm = {
  x: edgeMm,
  y: edgeMm,
  width: a4.widthMm - 2 * edgeMm,
  height: a4.heightMm - 2 * edgeMm,
};

/** The frame of an envelope's window, for pictures of the page that shows in it. */
export function windowFrame({ window }: Pick<EnvelopeScheme, 'window'>): Stamp {
  return frame(window, windowColour, 0.35);
}

/**
 * Draws over page 1 of a print file what its sender should know: the printable area, the window with the place of the
 * address, and the findings on this page, numbered by their place in `findings`, from 1. Returns the bytes that belong
 * after the file.
 */
export async function drawOverlay(
  file: FileContent,
  scheme: EnvelopeScheme,
  findings: readonly Finding[],
): Promise<Buffer> {
  const marks = findings.flatMap(({ page, boxMm, severity }, index) => {
    if (page !== 1 || boxMm === null) return [];
    const colour = severityColours[severity];
    return [frame(boxMm, colour, 0.5), label(boxMm, index + 1, colour)];
  });
  const update = startUpdate(await readPrintFile(file, (index) => index === 0));
  update.stampPage(0, [
    frame(printable, edgeColour, 0.2, '3 2'),
    windowFrame(scheme),
    frame(scheme.address, zoneColour, 0.2, '1 1.5'),
    frame(sheetMarkBox, zoneColour, 0.2),
    ...marks,
  ]);
  return update.finish();
}

/** A line of `lineMm` around a box. `dash` is its pattern in points, unbroken by default. */
function frame({ x, y, width, height }: BoxMm, colour: Colour, lineMm: number, dash = ''): Stamp {
  const boxMm = { x: x - lineMm, y: y - lineMm, width: width + 2 * lineMm, height: height + 2 * lineMm };
  const line = lineMm * pointsPerMm;
  const corner = round(line / 2);
  const sides = [boxMm.width, boxMm.height].map((mm) => round(mm * pointsPerMm - line));
  const style = `${colour.join(' ')} RG ${round(line)} w [${dash}] 0 d`;
  return { boxMm, content: `${style} ${corner} ${corner} ${sides.join(' ')} re S` };
}

/** The number of a finding, above its box where there is room. */
function label(box: BoxMm, number: number, colour: Colour): Stamp {
  const y = box.y >= labelMm.height ? box.y - labelMm.height : box.y;
  const boxMm = { x: Math.max(0, Math.min(box.x, a4.widthMm - labelMm.width)), y, ...labelMm };
  const [width, height] = [labelMm.width * pointsPerMm, labelMm.height * pointsPerMm];
  const left = round((width - String(number).length * digit.width * labelPoints) / 2);
  const bottom = round((height - digit.height * labelPoints) / 2);
  const content =
    `${colour.join(' ')} rg 0 0 ${round(width)} ${round(height)} re f ` +
    `1 g BT /F ${labelPoints} Tf ${left} ${bottom} Td (${number}) Tj ET`;
  return { boxMm, content, resources: labelFont };
}
