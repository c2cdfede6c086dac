import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '#common/platform/process/log.ts';
import { type FileContent, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import type { ChildLimits } from '../isolation/child-limits.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { runWarm, type WarmWork } from '../warm/run-warm.ts';

const program: ChildProgram = {
  entryPath: fileURLToPath(new URL('./draw-page.child.ts', import.meta.url)),
  permissions: 'plain',
};

const mib = 1024 * 1024;
/** A photo that fills a page decodes to 150 MB. The PNG has at most 3 MB. */
const limits: ChildLimits = {
  cpuS: 10,
  wallMs: 20_000,
  dataBytes: 768 * mib,
  fileBytes: 8 * mib,
  openFiles: 64,
};

export type PageToDraw = WarmWork & {
  /** The PDF. */
  file: FileContent;
  /** Page number, from 1. */
  page: number;
  /** Returns a folder for temporary files, when they are needed. */
  makeFolder: () => Promise<string>;
  log: Log;
};

/**
 * Draws one page of a PDF as a PNG at about 100 dots per inch: a small PDF in a warm process, else in one of its own.
 * Returns null when the document makes it impossible, so a retry is useless. Throws `ChildFailedError`.
 */
export async function drawPage(drawing: PageToDraw): Promise<Buffer | null> {
  const { file, page } = drawing;
  const request = 'bytes' in file ? ({ operation: 'drawPage', argument: page, bytes: file.bytes } as const) : null;
  const drawn = request && (await runWarm(drawing, request));
  return drawn?.bytes ?? (await drawAlone(drawing));
}

async function drawAlone({ file, page, makeFolder, slot, signal, log }: PageToDraw): Promise<Buffer | null> {
  const folder = await realpath(await makeFolder());
  const source = await realpath(await toPath(file, join(folder, 'print.pdf')));
  const picturePath = join(folder, `page-${page}.png`);
  const end = await runInSlot(slot, {
    program,
    args: [source, String(page)],
    readable: [source],
    parentFolder: folder,
    output: { name: 'page.png', path: picturePath },
    limits,
    signal,
    log,
  });
  if (end.kind === 'result') return await readFile(picturePath);
  if (end.fault === 'out_of_time') throw new ChildFailedError('The page was not drawn in time.');
  return null;
}
