import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { type RawPdfium, startPdfium } from '../preflight/measuring/raw-pdfium.ts';

/** PDFium in a process that opens files of several customers one after the other. */
export type ResettablePdfium = {
  /** The instance that opens the current file, with PDFium's own functions. */
  readonly current: RawPdfium;
  /** Opens a PDF. Throws for damaged bytes. */
  open(bytes: Uint8Array): Promise<PDFiumDocument>;
  /** Ends what was opened: gives PDFium the memory that it had before its first file. */
  reset(): Promise<void>;
};

/**
 * Starts PDFium. It is compiled once. A reset copies the first image of its memory back, which takes less than 1 ms and
 * is as good as a new instance; an instance whose memory has grown is replaced, because memory never shrinks.
 */
export async function createResettablePdfium(wasm: Uint8Array<ArrayBuffer>): Promise<ResettablePdfium> {
  const compiled = new WebAssembly.Module(wasm);
  let { library, module } = await instantiate(compiled);
  const image = module.HEAPU8.slice();

  return {
    get current() {
      return module;
    },
    open: (bytes) => library.loadDocument(bytes),
    async reset() {
      if (module.HEAPU8.length === image.length) module.HEAPU8.set(image);
      else ({ library, module } = await instantiate(compiled));
    },
  };
}

async function instantiate(compiled: WebAssembly.Module) {
  const module = await startPdfium({
    instantiateWasm: (imports, receive) => {
      // The package's types say module, but it reads the exports of an instance.
      const instance = new WebAssembly.Instance(compiled, imports);
      receive(instance as unknown as WebAssembly.Module);
      return instance.exports;
    },
  });
  return { module, library: new PDFiumLibrary(module) };
}
