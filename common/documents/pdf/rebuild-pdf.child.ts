import { readFileSync } from 'node:fs';
import { maxRebuiltBytes } from '../isolation/child-limits.ts';
import { childMain } from '../isolation/child-main.ts';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { copyUnencrypted, isEncrypted, mayPrint } from '../pdfium/copy-unencrypted.ts';
import { openPdf, type RawPdfium, startPdfium } from '../pdfium/raw-pdfium.ts';
import { inflatedSize } from './limits/inflated-size.ts';
import { maxPages } from './limits/max-pages.ts';
import { createFileSink } from './pdf-sink.ts';
import { rebuildPdf } from './rebuild-pdf.ts';

/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY. */
const lockedErrors = [4, 5];

/** Checks a PDF and rebuilds it from its pages only: `rebuild-pdf.child.ts <file>` writes `part.pdf` to its folder. */
await childMain('damaged_pdf', async ([path = '']) => {
  const bytes = readFileSync(path);
  const pdfium = await startPdfium();
  const document = open(pdfium, bytes);
  const pageCount = pdfium._FPDF_GetPageCount(document);
  const maxBytes = maxRebuiltBytes(bytes.length, Math.min(pageCount, maxPages));
  const unlocked = isEncrypted(pdfium, document) ? unlock(pdfium, document, maxBytes) : null;
  const notes = unlocked ? (['restricted'] as const) : [];
  await rebuildPdf(unlocked ?? bytes, { pageCount, sink: createFileSink('part.pdf'), inflatedSize, notes });
  return { pageCount };
});

function open(pdfium: RawPdfium, bytes: Uint8Array): number {
  try {
    return openPdf(pdfium, bytes);
  } catch (error) {
    const isLocked = lockedErrors.includes(pdfium._FPDF_GetLastError());
    throw new FaultInDocument(isLocked ? 'locked' : 'damaged_pdf', String(error));
  }
}

/** Returns a copy of a document that opens without a password, if it may be printed. */
function unlock(pdfium: RawPdfium, document: number, maxBytes: number): Uint8Array {
  if (!mayPrint(pdfium, document)) throw new FaultInDocument('printing_forbidden');
  const copy = copyUnencrypted(pdfium, document, maxBytes);
  if (!copy) throw new FaultInDocument('prints_too_large', `over ${maxBytes} bytes without encryption`);
  return copy;
}
