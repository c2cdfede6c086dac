import { deflateSync } from 'node:zlib';
import { type FontWeight, loadAddressFont } from '../addressing/address-font.ts';
import { encodeDataMatrix } from '../addressing/encode-data-matrix.ts';
import { createFontSubset, type ObjectWriter } from '../addressing/font-subset.ts';
import { fillModules } from '../addressing/sheet-mark.ts';
import { createGrowingSink } from '../pdf/pdf-sink.ts';
import { createPdfWriter, type PdfWriter, toRef } from '../pdf/pdf-writer.ts';
import { a4, type BoxMm, pointsPerMm } from '../sheet/a4.ts';
import { round } from '../sheet/append-stamps.ts';

/** Where a line of text goes. `x` is its left end, its middle or its right end, `y` its baseline, in mm from the top left. */
export type TextPlace = {
  x: number;
  y: number;
  /** In points. */
  size: number;
  weight?: FontWeight;
  align?: 'left' | 'centre' | 'right';
};

/** Grey levels from 0 (black) to 1 (white). */
export type BoxStyle = { fill?: number; stroke?: number };

/**
 * A PDF for the people who print and post letters: upright A4 pages in black and grey. Places are in mm from the top left.
 * It has no dates and no ids, so the same input gives the same bytes.
 */
export type Paper = {
  /** Starts a page. What is drawn later is on it. */
  addPage(): void;
  text(words: string, place: TextPlace): void;
  box(box: BoxMm, style: BoxStyle): void;
  /** Draws a line, 0.2 mm wide. */
  line(from: { x: number; y: number }, to: { x: number; y: number }): void;
  /** Draws a data matrix that fills the square. The text has digits, capitals, spaces and punctuation only. */
  dataMatrix(text: string, square: { x: number; y: number; side: number }): void;
  /** Ends the last page and returns the PDF. */
  finish(): Buffer;
};

const lineWidth = round(0.2 * pointsPerMm);

/** Opens an empty paper. Its two fonts are loaded once per process, with 65 ms of CPU for each. */
export async function openPaper(): Promise<Paper> {
  const [regular, bold] = await Promise.all([loadAddressFont('regular'), loadAddressFont('bold')]);
  const fonts = { regular, bold };
  const subsets = { regular: createFontSubset(regular, 'R'), bold: createFontSubset(bold, 'B') };
  const sink = createGrowingSink();
  const writer = createPdfWriter(sink);
  const resources = writer.reserve();
  let content: string[] | undefined;

  const draw = (operators: string) => {
    if (!content) throw new Error('The paper has no page yet.');
    content.push(operators);
  };
  const endPage = () => {
    if (content) writePage(writer, resources, content.join('\n'));
  };

  return {
    addPage() {
      endPage();
      content = [];
    },
    text(words, { x, y, size, weight = 'regular', align = 'left' }) {
      const line = fonts[weight].shape(words);
      const width = line.width * size;
      const shift = { left: 0, centre: width / 2, right: width }[align];
      draw(`0 g ${subsets[weight].show(line, size, x * pointsPerMm - shift, fromTop(y))}`);
    },
    box({ x, y, width, height }, { fill, stroke }) {
      const rectangle = [x * pointsPerMm, fromTop(y + height), width * pointsPerMm, height * pointsPerMm].map(round);
      if (fill !== undefined) draw(`${fill} g ${rectangle.join(' ')} re f`);
      if (stroke !== undefined) draw(`${stroke} G ${lineWidth} w ${rectangle.join(' ')} re S`);
    },
    line(from, to) {
      const [start, end] = [from, to].map(({ x, y }) => `${round(x * pointsPerMm)} ${round(fromTop(y))}`);
      draw(`0 G ${lineWidth} w ${start} m ${end} l S`);
    },
    dataMatrix(text, { x, y, side }) {
      const matrix = encodeDataMatrix(text);
      const scale = round((side * pointsPerMm) / matrix.side);
      const corner = `${round(x * pointsPerMm)} ${round(fromTop(y + side))}`;
      draw(`q 0 g ${scale} 0 0 ${scale} ${corner} cm\n${fillModules(matrix)} Q`);
    },
    finish() {
      endPage();
      const objects = toObjectWriter(writer);
      const entries = `/R ${subsets.regular.embed(objects)} /B ${subsets.bold.embed(objects)}`;
      writer.beginObject(resources);
      writer.text(`<< /Font << ${entries} >> >>`);
      writer.endObject();
      writer.finish();
      return sink.written();
    },
  };
}

/** PDF counts from the bottom, in points. */
function fromTop(y: number): number {
  return (a4.heightMm - y) * pointsPerMm;
}

function writePage(writer: PdfWriter, resources: number, content: string): void {
  const [page, contents] = [writer.reserve(), writer.reserve()];
  const box = [a4.widthMm, a4.heightMm].map((side) => round(side * pointsPerMm)).join(' ');
  writer.stream(contents, '/Filter /FlateDecode', [deflateSync(Buffer.from(content, 'latin1'))]);
  writer.beginObject(page);
  writer.text(`<< /Type /Page /Parent ${toRef(writer.pagesNumber)} /MediaBox [0 0 ${box}]`);
  writer.text(` /Resources ${toRef(resources)} /Contents ${toRef(contents)} >>`);
  writer.endObject();
  writer.addPage(page);
}

function toObjectWriter(writer: PdfWriter): ObjectWriter {
  return {
    addObject(body) {
      const objectNumber = writer.reserve();
      writer.beginObject(objectNumber);
      writer.text(body);
      writer.endObject();
      return toRef(objectNumber);
    },
    addStream(entries, content) {
      const objectNumber = writer.reserve();
      const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
      writer.stream(objectNumber, entries, [bytes]);
      return toRef(objectNumber);
    },
  };
}
