import { mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRenderSlots, defaultSlotSettings } from '#common/documents/isolation/render-slots.ts';
import { renderPrintFile } from '#common/documents/print-file/render-print-file.ts';
import { openWarmPool } from '#common/documents/warm/warm-pool.ts';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { createLog } from '#common/platform/process/log.ts';
import { timeMs } from '../measure.ts';
import { readTreeCpu } from '../process-cpu.ts';

/** As many renders as the workers run at once, and as many waiting. */
const rendersAtOnce = 2 * defaultSlotSettings.fastSlots;
const writesAtOnce = 8;

/** Of the letters, these are rendered alone. The first ones only warm the processes. */
const [warmUps, measured] = [20, 200];

/** Returns the wall and CPU milliseconds in which warm processes render a letter, without a database and an object store. */
export async function renderAlone(
  letters: readonly Buffer[],
  folder: string,
): Promise<{ wallMs: number; cpuMs: number }> {
  const log = createLog('bench', 'warn');
  const pool = openWarmPool({ maxChildren: 4, keepsSpare: true, sharing: 'everyone', log });
  const shared = { warmPool: pool, slots: createRenderSlots(), signal: new AbortController().signal, log };
  const render = async (bytes: Buffer) => {
    const getFiles = async () => [{ bytes, mimeType: 'application/pdf' as const }];
    await renderPrintFile({ getFiles, expectedPages: null, makeFolder: async () => folder, ...shared });
  };
  const renderAll = async (from: number, to: number) => {
    await inParallel(letters.slice(from, to), render, rendersAtOnce);
  };
  try {
    await renderAll(0, warmUps);
    const beforeMs = readCpuMs();
    const wallMs = (await timeMs(() => renderAll(warmUps, warmUps + measured))) / measured;
    return { wallMs, cpuMs: (readCpuMs() - beforeMs) / measured };
  } finally {
    pool?.close();
  }
}

/** CPU time of this process and its children. */
function readCpuMs(): number {
  const { ownMs, childrenMs } = readTreeCpu(process.pid);
  return ownMs + childrenMs;
}

/** Returns the milliseconds in which the files of a batch are written a second time, each flushed to the same disk. */
export async function writeAgain(batchFolder: string): Promise<number> {
  const entries = await readdir(batchFolder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(names.map(async (path) => ({ path, bytes: await readFile(path) })));
  const copy = await mkdtemp(join(dirname(batchFolder), '.floor-'));
  await mkdir(join(copy, 'items'));
  const write = async ({ path, bytes }: (typeof files)[number]) => {
    const file = await open(join(copy, path.slice(batchFolder.length)), 'wx');
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
  };
  return await timeMs(() => inParallel(files, write, writesAtOnce)).finally(() => rm(copy, { recursive: true }));
}
