import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocumentError } from '#common/documents/isolation/document-error.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import type { SourceFile } from '#common/documents/print-file/make-part.ts';
import { type PrintFile, type RenderOptions, renderPrintFile } from '#common/documents/print-file/render-print-file.ts';
import { createWarmPool, maxWarmBytes, type WarmPool, type WarmPoolOptions } from '#common/documents/warm/warm-pool.ts';
import { createLog } from '#common/platform/process/log.ts';
import { afterAll, useTempFolders } from '../jest.ts';

export type Upload = { bytes: Uint8Array; mimeType: SourceFile['mimeType'] };
export type Rendering = Partial<Omit<RenderOptions, 'getFiles' | 'makeFolder'>> & {
  /** Indexes of the uploads in print order, when one is listed several times. */
  order?: readonly number[];
};

export const pdf = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'application/pdf' });
export const png = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'image/png' });
export const jpeg = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'image/jpeg' });
export const heic = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'image/heic' });

export type Outcome = {
  printFile: (PrintFile & { path: string }) | null;
  /** The error of the document. Any other error is thrown. */
  error: DocumentError | null;
  /** Files left in the working folder, without uploads. */
  remainingFiles: string[];
};

/**
 * Returns a function that renders uploads like the worker, in a new temporary folder per call: small PDFs in memory by
 * warm processes.
 */
export function useRendering() {
  const newFolder = useTempFolders();
  const warmPool = useWarmPool();

  return async function render(uploads: readonly Upload[], { order, ...options }: Rendering = {}): Promise<Outcome> {
    const workDir = await newFolder();
    const stored = await Promise.all(uploads.map((upload, i) => store(upload, join(workDir, `upload-${i}`))));
    const files = order?.flatMap((index) => stored[index] ?? []) ?? stored;
    let printFile: Outcome['printFile'] = null;
    let error: DocumentError | null = null;
    try {
      const rendered = await renderPrintFile({
        expectedPages: uploads.length,
        slots: createRenderSlots(),
        signal: new AbortController().signal,
        log: createLog('test', 'silent'),
        warmPool,
        ...options,
        getFiles: async () => files,
        makeFolder: async () => workDir,
      });
      const path = 'path' in rendered ? rendered.path : join(workDir, 'print.pdf');
      if ('bytes' in rendered) await writeFile(path, rendered.bytes);
      printFile = { ...rendered, path };
    } catch (thrown) {
      if (!(thrown instanceof DocumentError)) throw thrown;
      error = thrown;
    }
    const remainingFiles = (await readdir(workDir)).filter((name) => !name.startsWith('upload-'));
    return { printFile, error, remainingFiles };
  };
}

async function store({ bytes, mimeType }: Upload, path: string): Promise<SourceFile> {
  const isSmallPdf = mimeType === 'application/pdf' && bytes.length <= maxWarmBytes;
  if (isSmallPdf) return { bytes: Buffer.from(bytes), mimeType };
  await writeFile(path, bytes);
  return { path, mimeType };
}

/** Of CPU as in the product. A pause of the machine does not end a process. */
export const patientLimits = { cpuMs: 500, wallMs: 60_000 };

/** Returns the processes for small PDFs of a test file. Each file waits for one. */
export function useWarmPool(options: Partial<WarmPoolOptions> = {}): WarmPool {
  const pool = createWarmPool({
    maxChildren: 4,
    keepsSpare: true,
    sharing: 'everyone',
    log: createLog('test', 'silent'),
    maxWaitMs: 120_000,
    fileLimits: patientLimits,
    ...options,
  });
  afterAll(() => pool.close());
  return pool;
}
