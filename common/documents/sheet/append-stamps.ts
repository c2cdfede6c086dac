import { a4, type BoxMm, pointsPerMm } from './a4.ts';
import { type PageGeometry, toPageRect } from './page-geometry.ts';
import type { PrintFileStructure, PrintPage } from './read-print-file.ts';

/** Something drawn over a page. */
export type Stamp = {
  /** Where a reader sees it. Nothing is drawn outside. */
  boxMm: BoxMm;
  /** Operators of a content stream (ISO 32000-1, 7.8.2), in points from the lower left corner of the box. */
  content: string;
  /** The resources of the content, as a PDF dictionary. It may refer to objects that were added before. */
  resources?: string;
};

/**
 * Adds to a print file without changing its bytes: an incremental update (ISO 32000-1, 7.5.6). It writes no dates and no
 * ids, so the same input gives the same bytes.
 *
 * Stamps are printable annotations, because these have a graphics state of their own: what the page's own content leaves
 * behind cannot move them.
 */
export type PrintFileUpdate = {
  /** Adds an object and returns a reference to it. */
  addObject(body: string): string;
  /** Adds a stream, uncompressed, and returns a reference to it. `entries` are its entries without the length. */
  addStream(entries: string, content: Uint8Array | string): string;
  /** Draws stamps over a page, the last on top. A page is stamped once. Throws an Error if the page was not read. */
  stampPage(index: number, stamps: readonly Stamp[]): void;
  /** Puts an A4 page in front of the document, after those that were put there before. */
  addFrontPage(stamps: readonly Stamp[]): void;
  /** Returns the bytes that belong after those of the print file. */
  finish(): Buffer;
};

/** The printable flag (ISO 32000-1, 12.5.3). */
const printFlag = 4;
const a4Page: PageGeometry = {
  visible: { left: 0, bottom: 0, right: a4.widthMm * pointsPerMm, top: a4.heightMm * pointsPerMm },
  rotation: 0,
  unitsPerMm: pointsPerMm,
};
/** Turns a stamp against the rotation of its page, so that it is upright for a reader. */
const uprightMatrix = { 0: '', 90: '0 1 -1 0 0 0', 180: '-1 0 0 -1 0 0', 270: '0 -1 1 0 0 0' };

export function startUpdate(file: PrintFileStructure): PrintFileUpdate {
  const chunks: Buffer[] = [];
  let position = file.sizeBytes;
  let nextNumber = file.objectCount;
  const offsets = new Map<number, number>();
  const frontPages: string[] = [];

  const write = (chunk: Buffer) => {
    chunks.push(chunk);
    position += chunk.length;
  };
  const writeObject = (objectNumber: number, body: string) => {
    offsets.set(objectNumber, position);
    write(Buffer.from(`${objectNumber} 0 obj\n${body}\nendobj\n`, 'latin1'));
  };
  const reserve = () => {
    nextNumber += 1;
    return nextNumber - 1;
  };

  const update: PrintFileUpdate = {
    addObject(body) {
      const objectNumber = reserve();
      writeObject(objectNumber, body);
      return toRef(objectNumber);
    },
    addStream(entries, content) {
      const objectNumber = reserve();
      const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
      offsets.set(objectNumber, position);
      const head = `${objectNumber} 0 obj\n<< ${entries} /Length ${bytes.length} >>\nstream\n`;
      write(Buffer.concat([Buffer.from(head, 'latin1'), bytes, Buffer.from('\nendstream\nendobj\n')]));
      return toRef(objectNumber);
    },
    stampPage(index, stamps) {
      const page = findPage(file, index);
      if (offsets.has(page.objectNumber)) throw new Error(`Page ${index} is stamped twice.`);
      const refs = stamps.map((stamp) => writeStamp(update, page.geometry, stamp));
      const annotations = [page.annotations, ...refs].filter((ref) => ref !== '').join(' ');
      writeObject(page.objectNumber, `<< ${page.entries} /Annots [${annotations}] >>`);
    },
    addFrontPage(stamps) {
      const refs = stamps.map((stamp) => writeStamp(update, a4Page, stamp));
      const { right, top } = a4Page.visible;
      const annotations = refs.length > 0 ? ` /Annots [${refs.join(' ')}]` : '';
      frontPages.push(
        update.addObject(
          `<< /Type /Page /Parent ${toRef(file.pageTreeNumber)} /MediaBox [0 0 ${round(right)} ${round(top)}]` +
            ` /Resources << >>${annotations} >>`,
        ),
      );
    },
    finish() {
      if (frontPages.length > 0) {
        const kids = [...frontPages, file.kids].join(' ');
        const count = frontPages.length + file.pageCount;
        writeObject(file.pageTreeNumber, `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`);
      }
      const table = `${tableOf(offsets)}trailer\n<< /Size ${nextNumber} /Root 1 0 R /Prev ${file.tableAt} >>\n`;
      write(Buffer.from(`${table}startxref\n${position}\n%%EOF\n`, 'latin1'));
      return Buffer.concat(chunks);
    },
  };
  return update;
}

function toRef(objectNumber: number): string {
  return `${objectNumber} 0 R`;
}

function findPage(file: PrintFileStructure, index: number): PrintPage {
  const page = file.pages.get(index);
  if (!page) throw new Error(`Page ${index} was not read.`);
  return page;
}

/** Readers scale the appearance to the rectangle (ISO 32000-1, 12.5.5, algorithm 8.1), also on pages with a unit. */
function writeStamp(update: PrintFileUpdate, geometry: PageGeometry, stamp: Stamp): string {
  const { boxMm, content, resources = '<< >>' } = stamp;
  const matrix = uprightMatrix[geometry.rotation];
  const appearance = update.addStream(
    `/Type /XObject /Subtype /Form /BBox [0 0 ${round(boxMm.width * pointsPerMm)} ${round(boxMm.height * pointsPerMm)}]` +
      `${matrix && ` /Matrix [${matrix}]`} /Resources ${resources}`,
    content,
  );
  const { left, bottom, right, top } = toPageRect(geometry, boxMm);
  const rect = [left, bottom, right, top].map(round).join(' ');
  return update.addObject(
    `<< /Type /Annot /Subtype /Stamp /F ${printFlag} /Rect [${rect}] /AP << /N ${appearance} >> >>`,
  );
}

/** Numbers in a PDF have no exponent. */
export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Returns the cross-reference section: a subsection for each run of numbers. Each entry has exactly 20 bytes. */
function tableOf(offsets: ReadonlyMap<number, number>): string {
  const entries = [...offsets].sort(([a], [b]) => a - b);
  const sections: [number, number][][] = [];
  for (const entry of entries) {
    const last = sections.at(-1);
    if (last?.[0] && last[0][0] + last.length === entry[0]) last.push(entry);
    else sections.push([entry]);
  }
  const words = sections.map((section) => {
    const lines = section.map(([, offset]) => `${String(offset).padStart(10, '0')} 00000 n \n`);
    return `${section[0]?.[0]} ${section.length}\n${lines.join('')}`;
  });
  return `xref\n${words.join('')}`;
}
