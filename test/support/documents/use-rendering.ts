import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocumentError } from '../../../common/documents/document-error.ts';
import {
  type PrintFile,
  type RenderOptions,
  renderPrintFile,
  type SourceFile,
} from '../../../common/documents/render-print-file.ts';
import { createRenderSlots } from '../../../common/documents/render-slots.ts';
import { createLog } from '../../../common/platform/log.ts';
import { useTempFolders } from '../temp-folder.ts';

export type Upload = { bytes: Uint8Array; mimeType: SourceFile['mimeType'] };
export type Rendering = Partial<Omit<RenderOptions, 'files' | 'workDir'>>;

export const pdf = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'application/pdf' });
export const png = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'image/png' });
export const jpeg = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'image/jpeg' });
export const heic = (bytes: Uint8Array): Upload => ({ bytes, mimeType: 'image/heic' });

export type Outcome = {
  printFile: PrintFile | null;
  /** The document's fault; any other error is thrown. */
  error: DocumentError | null;
  /** What is left in the working folder besides the uploads. */
  leftOver: string[];
  tookMs: number;
  /** How much this process's resident memory rose above its level at the start, at most. */
  grownBytes: number;
};

/** Renders uploads as the worker does, each call in a folder of its own that goes with the test. */
export function useRendering() {
  const newFolder = useTempFolders();

  return async function render(uploads: readonly Upload[], options: Rendering = {}): Promise<Outcome> {
    const workDir = await newFolder();
    const files = await Promise.all(uploads.map((upload, i) => store(upload, join(workDir, `upload-${i}`))));
    const growth = watchGrowth();
    const startedAtMs = performance.now();
    let printFile: PrintFile | null = null;
    let error: DocumentError | null = null;
    try {
      printFile = await renderPrintFile({
        expectedPages: uploads.length,
        slots: createRenderSlots(),
        signal: new AbortController().signal,
        log: createLog('test', 'silent'),
        ...options,
        files,
        workDir,
      });
    } catch (thrown) {
      if (!(thrown instanceof DocumentError)) throw thrown;
      error = thrown;
    } finally {
      growth.stop();
    }
    const tookMs = performance.now() - startedAtMs;
    const leftOver = (await readdir(workDir)).filter((name) => !name.startsWith('upload-'));
    return { printFile, error, leftOver, tookMs, grownBytes: growth.bytes() };
  };
}

async function store({ bytes, mimeType }: Upload, path: string): Promise<SourceFile> {
  await writeFile(path, bytes);
  return { path, mimeType };
}

function watchGrowth() {
  const base = process.memoryUsage.rss();
  let most = base;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return { stop: () => clearInterval(timer), bytes: () => most - base };
}
