import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { constants, inflateSync, type ZlibOptions } from 'node:zlib';
import { endProcess } from '../isolation/child-main.ts';
import { inflatedSize } from '../pdf/limits/inflated-size.ts';
import { createMemorySink, type PdfSink } from '../pdf/pdf-sink.ts';
import { measurePages } from '../preflight/measure-pages.ts';
import { paintPage } from '../preview/paint-page.ts';
import { unpackParts } from '../warm/parts-frame.ts';
import { maxAnswerBytes, maxWarmPages, operations, readRequest, writeAnswer } from '../warm/warm-frames.ts';
import { createResettablePdfium } from './resettable-pdfium.ts';
import type { WarmScript } from './warm.script.ts';

/**
 * Opens one file after the other: `warm.child.ts <pdfium.wasm>`. Each file gets a new JavaScript context and the first
 * memory image of PDFium, so what a file leaves behind does not reach the next one. Any failure is answered with
 * `refused`; a broken PDFium or an error outside of a request ends the process, and so does a file for which PDFium's
 * memory had to grow.
 */
const [, , wasmPath = ''] = process.argv;
const pdfium = await createResettablePdfium(new Uint8Array(readFileSync(wasmPath)));
const output = Buffer.alloc(maxAnswerBytes);

/** Returns a plain array and throws plain errors: buffers and Node's own errors have prototypes that a script could change. */
const inflate = (bytes: Uint8Array, options: ZlibOptions): Uint8Array => {
  try {
    return new Uint8Array(inflateSync(bytes, options));
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(message), { code });
  }
};

/** All that a script gets of this process: nothing that it could change, and that the next script would get too. */
const modules: Record<string, object> = Object.freeze({
  'node:zlib': Object.freeze({ constants: Object.freeze({ ...constants }), inflateSync: Object.freeze(inflate) }),
});
const countInflated = Object.freeze((bytes: Uint8Array, limitBytes: number) => inflatedSize(bytes, limitBytes));
let script: Script | undefined;

type Result = { value: number; bytes: Uint8Array };

const handlers: Record<number, (file: ArrayBuffer, argument: number) => Promise<Result>> = {
  async [operations.loadScript](file) {
    script = new Script(Buffer.from(file).toString('utf8'));
    return { value: 0, bytes: output.subarray(0, 0) };
  },
  async [operations.rebuildPdf](file) {
    const document = await pdfium.open(new Uint8Array(file));
    const pageCount = document.getPageCount();
    if (pageCount > maxWarmPages) throw new Error('It has too many pages for a shared process.');
    const bytes = await collect((sink) => newScript().rebuild(file, { pageCount, sink, inflatedSize: countInflated }));
    return { value: pageCount, bytes };
  },
  async [operations.mergePdfs](packed) {
    let value = 0;
    const bytes = await collect(async (sink) => {
      value = await newScript().merge(unpackParts(packed), sink);
    });
    return { value, bytes };
  },
  async [operations.drawPage](file, page) {
    const bytes = await paintPage(await pdfium.open(new Uint8Array(file)), page);
    pdfium.current.throwIfStarved();
    return { value: 0, bytes };
  },
  async [operations.measurePages](file) {
    const report = measurePages(pdfium.current, new Uint8Array(file));
    return { value: report.pages.length, bytes: Buffer.from(JSON.stringify(report)) };
  },
};

for (let request = readRequest(); request; request = readRequest()) {
  const { ticket, operation, argument, file } = request;
  try {
    const { value, bytes } = (await handlers[operation]?.(file, argument)) ?? failUnknown(operation);
    writeAnswer(ticket, { outcome: 'done', value, bytes });
    output.fill(0, 0, bytes.length);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    writeAnswer(ticket, { outcome: 'refused', value: 0, bytes: output.subarray(0, 0) });
    output.fill(0);
  }
  if (!pdfium.reset()) endProcess();
}

/** Returns what `write` writes to its sink. Later calls, when the next file has the output, write nothing. */
async function collect(write: (sink: PdfSink) => Promise<void>): Promise<Uint8Array> {
  const sink = createMemorySink(output);
  let isOpen = true;
  try {
    await write({
      text: (text) => void (isOpen && sink.text(text)),
      bytes: (bytes) => void (isOpen && sink.bytes(bytes)),
      position: sink.position,
      close() {},
    });
    return sink.written();
  } finally {
    isOpen = false;
  }
}

/** Evaluates the script in a new context. */
function newScript(): WarmScript {
  const context = createContext(
    { require: (name: string) => modules[name] },
    { codeGeneration: { strings: false, wasm: false } },
  );
  script?.runInContext(context);
  return context as unknown as WarmScript;
}

function failUnknown(operation: number): never {
  throw new Error(`Operation ${operation} is unknown.`);
}
