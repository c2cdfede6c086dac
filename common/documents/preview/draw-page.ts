import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '#common/platform/process/log.ts';
import { type FileContent, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import type { ChildLimits } from '../isolation/child-limits.ts';
import type { RenderSlot } from '../isolation/render-slots.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';

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

export type PageToDraw = {
  /** The PDF. */
  file: FileContent;
  /** Page number, from 1. */
  page: number;
  /** An existing folder for the picture. */
  workDir: string;
  slot: RenderSlot;
  signal: AbortSignal;
  log: Log;
};

/**
 * Draws one page of a PDF as a PNG at about 100 dots per inch, in a fenced child process. Returns the path of the PNG;
 * null when the document makes it impossible, so a retry is useless. Throws `ChildFailedError`.
 */
export async function drawPage({ file, page, workDir, slot, signal, log }: PageToDraw): Promise<string | null> {
  const folder = await realpath(workDir);
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
  if (end.kind === 'result') return picturePath;
  if (end.fault === 'out_of_time') throw new ChildFailedError('The page was not drawn in time.');
  return null;
}
