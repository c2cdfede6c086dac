import { PDFiumModule } from '@hyzyla/pdfium';

/**
 * PDFium's C interface (fpdfview.h, fpdf_edit.h, fpdf_annot.h), as far as pages are measured with it. Numbers that stand
 * for objects are addresses in the module's memory; 0 is none. The package exports these functions without their types.
 */
export type RawPdfium = Awaited<ReturnType<typeof PDFiumModule>> & {
  /**
   * Throws if PDFium was refused memory. It then leaves out what it could not decode, without an error: a page that is
   * full of ink may look blank.
   */
  throwIfStarved(): void;
  wasmExports: { __indirect_function_table: { set(place: number, f: unknown): void } };
  /** Returns -1 for a document that is not encrypted. */
  _FPDF_GetSecurityHandlerRevision(document: number): number;
  _FPDF_GetDocPermissions(document: number): number;
  /** `writer`: address of an FPDF_FILEWRITE. */
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  /** Writes left, top, right and bottom, in points: the CropBox within the MediaBox. */
  _FPDF_GetPageBoundingBox(page: number, box: number): number;
  /** Returns the number of quarter turns, clockwise. */
  _FPDFPage_GetRotation(page: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  /** Writes the corners of the rectangle. */
  _FPDFAnnot_GetRect(annotation: number, box: number): number;
  _FPDFAnnot_GetObjectCount(annotation: number): number;
  _FPDFAnnot_GetObject(annotation: number, index: number): number;
  /** Writes the six numbers of a matrix. */
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  /** Takes the addresses of left, bottom, right and top. */
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFTextObj_GetTextRenderMode(text: number): number;
  _FPDFTextObj_GetFont(text: number): number;
  _FPDFFont_GetIsEmbedded(font: number): number;
  /** Writes the name in UTF-8 with a zero, when the buffer is long enough. Returns the length with the zero. */
  _FPDFFont_GetBaseFontName(font: number, buffer: number, length: number): number;
};

/** Version 2 of FPDF_LIBRARY_CONFIG, without scripts and without fonts of the system. */
const config = { version: 2, m_pIsolate: null, m_pUserFontPaths: null, m_v8EmbedderSlot: 0, m_pPlatform: null };

type Loading = Parameters<typeof PDFiumModule>[0];

/** What the package reports on standard error, and only there, when the memory cannot grow. */
const starvation = /^(Failed to grow the heap|Cannot enlarge memory)/;

/** Starts an instance of PDFium. */
export async function startPdfium(loading: Loading = {}): Promise<RawPdfium> {
  let refusal: string | undefined;
  const printErr = (line: string) => {
    if (starvation.test(line)) refusal = line;
    process.stderr.write(`${line}\n`);
  };
  const started = await PDFiumModule({ ...loading, printErr } as Loading);
  started._FPDF_InitLibraryWithConfig(config);
  const throwIfStarved = () => {
    if (refusal !== undefined) throw new RangeError(refusal);
  };
  return Object.assign(started as RawPdfium, { throwIfStarved });
}

/** Opens a PDF and returns its address; the bytes stay in the module's memory. Throws for damaged bytes. */
export function openPdf(pdfium: RawPdfium, bytes: Uint8Array): number {
  const address = pdfium.wasmExports.malloc(bytes.length);
  if (address === 0) throw new RangeError('The file does not fit into memory.');
  pdfium.HEAPU8.set(bytes, address);
  const document = pdfium._FPDF_LoadMemDocument(address, bytes.length, 0);
  if (document === 0) throw new Error(`PDFium did not open the file (${pdfium._FPDF_GetLastError()}).`);
  return document;
}

const wordBytes = 4;

/** Memory of the module that functions write their results to. */
export type Scratch = {
  readonly address: number;
  readonly sizeBytes: number;
  /** Returns floating-point numbers from the start of the memory. */
  floats(count: number): number[];
  integers(count: number): number[];
  text(length: number): string;
};

/** Takes memory from the module. It ends with the module, or with the reset of its memory. */
export function takeScratch(pdfium: RawPdfium, sizeBytes = 512): Scratch {
  const address = pdfium.wasmExports.malloc(sizeBytes);
  // The memory may have moved since the last call: it grows.
  const view = () => new DataView(pdfium.HEAPU8.buffer, address, sizeBytes);
  const read = (count: number, readOne: (view: DataView, at: number) => number) => {
    const from = view();
    return Array.from({ length: count }, (_, i) => readOne(from, i * wordBytes));
  };
  return {
    address,
    sizeBytes,
    floats: (count) => read(count, (from, at) => from.getFloat32(at, true)),
    integers: (count) => read(count, (from, at) => from.getInt32(at, true)),
    text: (length) => Buffer.from(pdfium.HEAPU8.subarray(address, address + length)).toString('utf8'),
  };
}
