import { deflateSync } from 'node:zlib';
import { PDFDocument, type SecurityOptions, StandardFonts } from '@cantoo/pdf-lib';

/** Creates a PDF with one page per text, A4 portrait by default. */
export async function textPdf(
  texts: readonly string[],
  size: [number, number] = [595.28, 841.89],
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) document.addPage(size).drawText(text, { x: 60, y: size[1] - 100, size: 24, font });
  return document.save();
}

/** Encrypts a PDF of one page. Without `permissions`, nothing is allowed. */
export async function lockedPdf(options: SecurityOptions): Promise<Uint8Array> {
  const document = await PDFDocument.load(await textPdf(['secret']));
  document.encrypt(options);
  return document.save();
}

/** The parts of a hand-made PDF: object bodies by number, and changes to trailer and cross-reference table. */
export type RawPdf = {
  /** The body between `obj` and `endobj`; 1 is the catalog. */
  objects: Record<number, string | Buffer>;
  trailer?: string;
  /** Replaces the cross-reference section and everything after it. */
  frame?: (tableAt: number) => string;
};

/** Builds a PDF object by object, for content that no library would write. */
export function rawPdf({ objects, trailer = '', frame }: RawPdf): Buffer {
  const numbers = Object.keys(objects).map(Number);
  const last = numbers.at(-1) ?? 0;
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets = new Map<number, number>();
  let position = chunks[0]?.length ?? 0;
  const add = (chunk: Buffer) => {
    chunks.push(chunk);
    position += chunk.length;
  };

  for (const number of numbers) {
    offsets.set(number, position);
    const body = objects[number] ?? '';
    add(Buffer.from(`${number} 0 obj\n`));
    add(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
    add(Buffer.from('\nendobj\n'));
  }
  const tableAt = position;
  if (frame) return Buffer.concat([...chunks, Buffer.from(frame(tableAt), 'latin1')]);

  const rows = Array.from({ length: last }, (_, i) => {
    const offset = offsets.get(i + 1);
    return offset === undefined ? '0000000000 00000 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${last + 1}\n0000000000 65535 f \n${rows.join('')}`;
  const end = `trailer\n<< /Size ${last + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${tableAt}\n%%EOF\n`;
  return Buffer.concat([...chunks, Buffer.from(table + end, 'latin1')]);
}

/** The body of a stream object. */
export function rawStream(dictionary: string, bytes: Uint8Array | string): Buffer {
  const content = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
  const head = Buffer.from(`<< ${dictionary} /Length ${content.length} >>\nstream\n`, 'latin1');
  return Buffer.concat([head, content, Buffer.from('\nendstream')]);
}

/**
 * Builds a PDF with all objects in one object stream (PDF 1.5): repetitive content takes almost no space. `streams` are
 * objects that cannot be in one.
 */
export function packedPdf(objects: Record<number, string>, streams: Record<number, Buffer> = {}): Buffer {
  const numbers = Object.keys(objects).map(Number);
  const streamNumbers = Object.keys(streams).map(Number);
  const packNumber = Math.max(...numbers, ...streamNumbers) + 1;
  const tableNumber = packNumber + 1;
  const bodies = numbers.map((number) => `${objects[number]}\n`);
  let at = 0;
  const places = bodies.map((body, i) => {
    const place = `${numbers[i]} ${at} `;
    at += body.length;
    return place;
  });
  const head = places.join('');
  const pack = rawStream(
    `/Type /ObjStm /N ${numbers.length} /First ${head.length} /Filter /FlateDecode`,
    deflateSync(Buffer.from(head + bodies.join(''), 'latin1'), { level: 9 }),
  );
  const chunks = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets = [packNumber, ...streamNumbers].map((number) => {
    const offset = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const body = streams[number] ?? pack;
    chunks.push(Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]));
    return { number, offset };
  });
  const tableAt = chunks.reduce((sum, chunk) => sum + chunk.length, 0);

  const rows = Buffer.alloc((tableNumber + 1) * 7);
  const row = (number: number, type: number, place: number, index: number) => {
    rows.writeUInt8(type, number * 7);
    rows.writeUInt32BE(place, number * 7 + 1);
    rows.writeUInt16BE(index, number * 7 + 5);
  };
  numbers.forEach((number, index) => void row(number, 2, packNumber, index));
  for (const { number, offset } of offsets) row(number, 1, offset, 0);
  row(tableNumber, 1, tableAt, 0);
  const table = rawStream(
    `/Type /XRef /Size ${tableNumber + 1} /W [1 4 2] /Root 1 0 R /Filter /FlateDecode`,
    deflateSync(rows, { level: 9 }),
  );
  const tableObject = [Buffer.from(`${tableNumber} 0 obj\n`), table, Buffer.from('\nendobj\n')];
  return Buffer.concat([...chunks, ...tableObject, Buffer.from(`startxref\n${tableAt}\n%%EOF\n`)]);
}

/** Catalog, page tree and one page with the given extra entries. Its content is object 4, its font object 5. */
export function onePage(
  extras: { catalog?: string; page?: string; resources?: string; content?: string | Buffer } = {},
) {
  const resources = extras.resources ?? '/Font << /F1 5 0 R >>';
  return {
    1: `<< /Type /Catalog /Pages 2 0 R ${extras.catalog ?? ''} >>`,
    2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> ${extras.page ?? ''} >>`,
    4: extras.content ?? rawStream('', 'BT /F1 24 Tf 60 700 Td (Dear reader) Tj ET'),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  };
}
