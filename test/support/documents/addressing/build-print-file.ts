import { createMemorySink } from '#common/documents/pdf/pdf-sink.ts';
import { createPdfWriter, toRef } from '#common/documents/pdf/pdf-writer.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';

/** A page of a print file. `entries` are those of its dictionary, without parent, resources and content. */
export type PrintedPage = { entries?: string; content?: string };

const a4Entries = '/MediaBox [0 0 595.276 841.89]';

/** Writes a print file by the product's own writer, whose fonts are not embedded. */
export function buildPrintFile(pages: readonly PrintedPage[]): Buffer {
  const sink = createMemorySink(Buffer.alloc(4 * 1024 * 1024));
  const writer = createPdfWriter(sink);
  const font = writer.reserve();
  writer.beginObject(font);
  writer.text('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  writer.endObject();
  for (const { entries = a4Entries, content = '' } of pages) {
    const [page, contents] = [writer.reserve(), writer.reserve()];
    writer.beginObject(page);
    writer.text(`<< /Type /Page /Parent ${toRef(writer.pagesNumber)} ${entries}`);
    writer.text(` /Resources << /Font << /F1 ${toRef(font)} >> >> /Contents ${toRef(contents)} >>`);
    writer.endObject();
    writer.stream(contents, '', [Buffer.from(content, 'latin1')]);
    writer.addPage(page);
  }
  writer.finish();
  return Buffer.from(sink.written());
}

/** A print file of A4 pages with a line of text each. */
export function plainPrintFile(pageCount: number): Buffer {
  return buildPrintFile(
    Array.from({ length: pageCount }, (_, i) => ({ content: `BT /F1 24 Tf 60 400 Td (Page ${i + 1}) Tj ET` })),
  );
}

export const sender: PostalAddress = {
  name: 'Bluejay Post SA',
  line1: 'Rue du Facteur 12',
  line2: null,
  zip: '1000',
  city: 'Bruxelles',
  country: 'BE',
};

export const recipient: PostalAddress = {
  name: 'Anneke Vandenbroucke',
  line1: 'Avenue Louise 235',
  line2: 'bte 4',
  zip: '1050',
  city: 'Bruxelles',
  country: 'BE',
};

export const itemId = 'mi_01h455vb4pex5vsknk084sn02q';
