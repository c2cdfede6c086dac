import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchManifest } from '#common/production/providers/hot-folder/batch-manifest.schema.ts';
import { createRandom } from '../random.ts';

/** An item that the print system got, and what it reported about it. */
export type PrintedItem = { batchId: string; itemId: string; sha256: string; result: 'printed' | 'failed' };

type Report = { name: string; content: unknown };

/** A print system at a hot folder: takes batches out of `out` into the folder `taken`, and writes result files. */
export type FolderPrinter = {
  /** All items that it got, in their order. */
  items: readonly PrintedItem[];
  /** Takes the batches that are in `out` now. With `random`, each with a probability of one half. */
  takeAll(random?: () => number): Promise<void>;
  /** Writes the results of what was taken, in files of random sizes. With `random`, the first of the files. */
  reportAll(random?: () => number): Promise<void>;
  /** Returns whether all is reported. */
  isQuiet(): boolean;
};

/**
 * Opens a print system at a hot folder. It writes one to three result files for each batch, and some results twice. One
 * of `failEvery` items fails.
 */
export function openFolderPrinter(
  { root, taken }: { root: string; taken: string },
  { random = createRandom(1).random, failEvery = 6 } = {},
): FolderPrinter {
  const items: PrintedItem[] = [];
  const reports: Report[] = [];
  let takenCount = 0;

  async function take(batchId: string): Promise<void> {
    takenCount += 1;
    await mkdir(taken, { recursive: true });
    const folder = join(taken, `${batchId}-${takenCount}`);
    await rename(join(root, 'out', batchId), folder);
    const manifest: BatchManifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const got: PrintedItem[] = [];
    for (const { itemId, file, sha256 } of manifest.files) {
      const found = createHash('sha256').update(await readFile(join(folder, file)));
      if (found.digest('hex') !== sha256) throw new Error(`${file} of ${batchId} is not the one of the manifest`);
      got.push({ batchId, itemId, sha256, result: random() * failEvery < 1 ? 'failed' : 'printed' });
    }
    items.push(...got);
    reports.push(...planReports(batchId, got));
  }

  function planReports(batchId: string, got: readonly PrintedItem[]): Report[] {
    const size = Math.ceil(got.length / Math.min(got.length, 1 + Math.floor(random() * 3)));
    return Array.from({ length: Math.ceil(got.length / size) }, (_, part) => {
      // A later file may repeat what an earlier one says.
      const from = random() < 0.3 ? 0 : part * size;
      const told = got.slice(from, (part + 1) * size).map(({ itemId, result }) => {
        return result === 'failed' ? { itemId, result, reason: 'The paper tore.' } : { itemId, result };
      });
      const isAll = got.length === told.length && told.every(({ result }) => result === 'printed');
      const content = isAll && random() < 0.5 ? { batchId, result: 'printed' } : { batchId, items: told };
      return { name: `${batchId}-${takenCount}-${part}`, content };
    });
  }

  /** Files are complete when they get their name. */
  async function write({ name, content }: Report): Promise<void> {
    const path = join(root, 'results', name);
    await writeFile(`${path}.tmp`, JSON.stringify(content));
    await rename(`${path}.tmp`, `${path}.json`);
  }

  return {
    items,
    async takeAll(chance = () => 0) {
      for (const name of await readdir(join(root, 'out'))) {
        if (name.startsWith('bat_') && chance() < 0.5) await take(name);
      }
    },
    async reportAll(chance = () => 0) {
      // In their order: a file that comes after the last one of its batch is not read before the next batch.
      while (reports[0] && chance() < 0.2) await write(reports.shift() as Report);
    },
    isQuiet: () => reports.length === 0,
  };
}

/** Keeps a print system running: it takes batches and writes files at random moments. `close` stops it. */
export function runFolderPrinter(printer: FolderPrinter, random: () => number): { close(): Promise<void> } {
  let isOpen = true;
  async function loop(): Promise<void> {
    while (isOpen) {
      await printer.takeAll(random);
      await printer.reportAll(random);
      await new Promise((resolve) => setTimeout(resolve, random() * 40));
    }
  }
  const looping = loop();
  return {
    async close() {
      isOpen = false;
      await looping;
    },
  };
}
