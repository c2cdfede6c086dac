import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';

/** A PDF whose pages each carry one of `texts`, A4 upright unless told otherwise. */
export async function textPdf(
  texts: readonly string[],
  size: [number, number] = [595.28, 841.89],
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) document.addPage(size).drawText(text, { x: 60, y: size[1] - 100, size: 24, font });
  return document.save();
}

export type Passwords = { userPassword?: string; ownerPassword: string };

export async function lockedPdf(passwords: Passwords): Promise<Uint8Array> {
  const document = await PDFDocument.load(await textPdf(['secret']));
  document.encrypt(passwords);
  return document.save();
}

/** What a hand-made PDF consists of: the bodies of its objects by number, and what is odd about its frame. */
export type RawPdf = {
  /** The body between `obj` and `endobj`; 1 is the catalog. */
  objects: Record<number, string | Buffer>;
  trailer?: string;
  /** The cross-reference section and what follows it, instead of a right one. */
  frame?: (tableAt: number) => string;
};

/** A PDF object by object, for what no library would write. */
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

/** Catalog, tree and one page with the words given, whose content is object 4 and whose font is object 5. */
export function onePage(extras: { catalog?: string; page?: string; content?: string | Buffer } = {}) {
  return {
    1: `<< /Type /Catalog /Pages 2 0 R ${extras.catalog ?? ''} >>`,
    2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${extras.page ?? ''} >>`,
    4: extras.content ?? rawStream('', 'BT /F1 24 Tf 60 700 Td (Dear reader) Tj ET'),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  };
}
