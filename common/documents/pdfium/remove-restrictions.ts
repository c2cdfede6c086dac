import { FaultInDocument } from '../isolation/fault-in-document.ts';
import type { RawPdfium } from './raw-pdfium.ts';

/** FPDF_GetDocPermissions: bit 3 (ISO 32000-1, table 22). */
const mayPrint = 4;
/** FPDF_SaveAsCopy. */
const removeSecurity = 3;
/** A module that exports the function `f`, which it imports: `(i32, i32, i32) => i32`. */
const functionModule = Uint8Array.from(
  Buffer.from('0061736d0100000001080160037f7f7f017f02070101650166000007050101660000', 'hex'),
);

/**
 * Returns a copy of an open document without encryption; null when it is not encrypted. Throws the faults
 * `printing_forbidden` and, for a copy of more than `maxBytes`, `prints_too_large`.
 */
export function removeRestrictions(pdfium: RawPdfium, document: number, maxBytes: number): Uint8Array | null {
  if (pdfium._FPDF_GetSecurityHandlerRevision(document) < 0) return null;
  if ((pdfium._FPDF_GetDocPermissions(document) & mayPrint) === 0) throw new FaultInDocument('printing_forbidden');

  const chunks: Buffer[] = [];
  let leftBytes = maxBytes;
  const writeBlock = (_writer: number, address: number, size: number) => {
    leftBytes -= size;
    if (leftBytes < 0) return 0;
    chunks.push(Buffer.from(pdfium.HEAPU8.subarray(address, address + size)));
    return 1;
  };
  // Only functions of WebAssembly can be in the table of the module, which cannot grow. Its first place is free.
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(functionModule), { e: { f: writeBlock } });
  pdfium.wasmExports.__indirect_function_table.set(0, exports.f);
  // FPDF_FILEWRITE: the version, and the place of the function.
  const writer = pdfium.wasmExports.malloc(8);
  new DataView(pdfium.HEAPU8.buffer).setInt32(writer, 1, true);
  new DataView(pdfium.HEAPU8.buffer).setInt32(writer + 4, 0, true);
  const isSaved = pdfium._FPDF_SaveAsCopy(document, writer, removeSecurity) !== 0;
  if (leftBytes < 0) throw new FaultInDocument('prints_too_large', `over ${maxBytes} bytes without encryption`);
  if (!isSaved) throw new FaultInDocument('damaged_pdf', 'no copy without encryption');
  return Buffer.concat(chunks);
}
