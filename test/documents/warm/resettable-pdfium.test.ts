// Level: unit
import { readFileSync } from 'node:fs';
import { pdfiumWasm } from '#common/documents/isolation/child-command.ts';
import { createResettablePdfium } from '#common/documents/warm-program/resettable-pdfium.ts';
import { textPdf } from '#test/support/documents/build-pdf.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('PDFium in a process that opens several files', () => {
  test('has the memory of its start after a reset', async () => {
    const pdfium = await createResettablePdfium(new Uint8Array(readFileSync(pdfiumWasm)));
    const { HEAPU8: memory } = pdfium.current;
    const atStart = Buffer.from(memory);
    const document = await pdfium.open(await textPdf(['Dear reader', 'Page 2']));
    expect(document.getPageCount()).toBe(2);
    expect(Buffer.compare(memory, atStart)).not.toBe(0);

    expect(pdfium.reset()).toBe(true);
    expect(Buffer.compare(memory, atStart)).toBe(0);
  });

  test('tells that its memory has grown', async () => {
    const pdfium = await createResettablePdfium(new Uint8Array(readFileSync(pdfiumWasm)));
    await pdfium.open(new Uint8Array(32 * 1024 * 1024)).catch(() => 'not a PDF');

    expect(pdfium.reset()).toBe(false);
  });
});
