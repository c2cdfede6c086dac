import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors.ts';
import type { Log } from '../platform/log.ts';
import type { ChildProgram } from './child-command.ts';
import type { ChildLimits } from './child-limits.ts';
import type { RenderSeat } from './render-slots.ts';
import { runInSeat } from './run-in-seat.ts';

const program: ChildProgram = {
  entryPath: fileURLToPath(new URL('./draw-page.child.ts', import.meta.url)),
  permissions: 'plain',
};

const mib = 1024 * 1024;
/** A photo that fills a page unpacks to 150 MB before it is drawn; the picture itself has 3 MB at most. */
const limits: ChildLimits = {
  cpuS: 10,
  wallMs: 20_000,
  dataBytes: 768 * mib,
  fileBytes: 8 * mib,
  openFiles: 64,
};

export type PageToDraw = {
  /** The PDF, and the page of it, from 1. */
  path: string;
  page: number;
  /** An existing folder, in which the picture is left. */
  workDir: string;
  seat: RenderSeat;
  signal: AbortSignal;
  log: Log;
};

/**
 * Draws one page of a PDF as a PNG at about 100 dots per inch, in a child process that can do nothing else, and returns
 * its path. Throws NOT_FOUND for a page that cannot be drawn within the limits.
 */
export async function drawPage({ path, page, workDir, seat, signal, log }: PageToDraw): Promise<string> {
  const [source, folder] = await Promise.all([realpath(path), realpath(workDir)]);
  const picturePath = join(folder, `page-${page}.png`);
  const end = await runInSeat(seat, {
    program,
    args: [source, String(page)],
    readable: [source],
    parentFolder: folder,
    output: { name: 'page.png', path: picturePath },
    limits,
    signal,
    log,
  });
  if (end.kind === 'fault') throw new AppError('NOT_FOUND');
  return picturePath;
}
