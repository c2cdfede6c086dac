import type { RawPdfium } from './raw-pdfium.ts';

/** FPDF_GetDocPermissions: bit 3 (ISO 32000-1, table 22). */
const printPermission = 4;
/** FPDF_SaveAsCopy. */
const removeSecurity = 3;
/** A module that exports the function `f`, which it imports: `(i32, i32, i32) => i32`. */
const functionModule = Uint8Array.from(
  Buffer.from('0061736d0100000001080160037f7f7f017f02070101650166000007050101660000', 'hex'),
);

export function isEncrypted(pdfium: RawPdfium, document: number): boolean {
  return pdfium._FPDF_GetSecurityHandlerRevision(document) >= 0;
}

/** Returns whether the author of an encrypted document allows printing. */
export function mayPrint(pdfium: RawPdfium, document: number): boolean {
  return (pdfium._FPDF_GetDocPermissions(document) & printPermission) !== 0;
}

/** Returns a copy of an open document without encryption; null when it has more than `maxBytes`. Throws for damage. */
export function copyUnencrypted(pdfium: RawPdfium, document: number, maxBytes: number): Uint8Array | null {
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
  if (leftBytes < 0) return null;
  if (!isSaved) throw new Error('PDFium did not write a copy without encryption.');
  return Buffer.concat(chunks);
}
