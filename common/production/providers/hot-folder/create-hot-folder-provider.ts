import type { Papers } from '#common/documents/papers/papers.ts';
import { drainInParallel } from '#common/platform/concurrency/in-parallel.ts';
import { readBatchJobs } from '#common/production/batches/read-batch-jobs.ts';
import type { PressBatch, PressItem } from '#common/production/press-batch.ts';
import {
  type BatchToPrint,
  type HandOver,
  type PressCopy,
  type PressProvider,
  type PressResult,
  PressUnavailableError,
  type ReportedResults,
} from '../press-provider.ts';
import { discardStale, findPublished } from './batch-claims.ts';
import { createManifest } from './batch-manifest.schema.ts';
import { HotFolderError } from './hot-folder-error.ts';
import type { PrintResults } from './print-results.schema.ts';
import { reject, settle, takeResults } from './read-results.ts';
import { type BatchFolder, openBatchFolder } from './write-batch-folder.ts';

/** Copies that are written at once: each is flushed to the disk. */
const writesAtOnce = 8;

/**
 * Creates the provider that writes batches into a folder, from which a print system takes them, and reads result files.
 * `awaitsResults` returns whether a batch exists whose results are still read.
 */
export function createHotFolderProvider(
  root: string,
  { awaitsResults, papers }: { awaitsResults: (batchId: string) => Promise<boolean>; papers: Papers },
): PressProvider {
  async function prepare(work: BatchToPrint): Promise<HandOver> {
    const { batchId } = work.batch;
    await discardStale(root, batchId);
    const folder = await openBatchFolder(root, batchId);
    const made = await fill(folder, work, papers).catch(async (error: unknown) => {
      await folder.discard();
      throw error;
    });
    async function publish(): Promise<void> {
      const outcome = await folder.publish(made);
      // The copies must not stay on the disk.
      if (outcome !== 'published') await folder.discard();
      if (outcome === 'contended') throw new Error('Another process publishes this batch.');
    }
    return Object.assign(publish, { discard: folder.discard });
  }

  return {
    prepare: (work) => withAdvice(() => prepare(work)),

    locate: ({ batchId }) =>
      withAdvice(async () => {
        if ((await findPublished(root, batchId)) === 'published') return 'taken';
        await discardStale(root, batchId);
        return 'not_taken';
      }),

    readResults: ({ batch: { batchId } }) => withAdvice(() => readResultsOf(batchId)),
  };

  async function readResultsOf(batchId: string): Promise<ReportedResults> {
    const results: PressResult[] = [];
    const paths: string[] = [];
    for await (const file of takeResults(root)) {
      const problem = 'problem' in file ? file.problem : await addResults(file.results, { batchId, to: results });
      if (problem !== null) await reject(file.path, problem);
      else if ('results' in file && file.results.batchId === batchId) paths.push(file.path);
    }
    return {
      results,
      async settle() {
        for (const path of paths) await settle(path);
      },
    };
  }

  /** Adds the results of a file of this batch. Returns why a file is refused, null for a good one. */
  async function addResults(
    file: PrintResults,
    { batchId, to }: { batchId: string; to: PressResult[] },
  ): Promise<string | null> {
    if (file.batchId === batchId) {
      const found = await toPressResults(file);
      if ('results' in found) to.push(...found.results);
      return 'problem' in found ? found.problem : null;
    }
    if (await awaitsResults(file.batchId)) return null;
    return `No batch ${file.batchId} waits for results. Check its id, or correct its items in the admin area.`;
  }
}

/** Turns errors of the hot folder, whose messages say what to do, into those that the operator reads. */
async function withAdvice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HotFolderError ? new PressUnavailableError(error.message, { cause: error }) : error;
  }
}

/** Writes the copies of a batch and makes its papers. */
async function fill(folder: BatchFolder, work: BatchToPrint, papers: Papers) {
  return await makePapers(work, await writeItems(folder, work), papers);
}

async function writeItems(folder: BatchFolder, { copies, signal }: BatchToPrint): Promise<PressItem[]> {
  const items: PressItem[] = [];
  const write = async ({ item, copy, release }: PressCopy) => {
    signal.throwIfAborted();
    items.push(item);
    await folder.addItem(item, copy).finally(release);
    return null;
  };
  for await (const _ of drainInParallel(copies(), write, writesAtOnce));
  return items;
}

/** Makes the papers of the items that are still to be printed: some may have failed since the batch closed. */
async function makePapers({ batch, signal }: BatchToPrint, items: readonly PressItem[], papers: Papers) {
  const sheetCount = items.reduce((total, item) => total + item.sheetCount, 0);
  const printed: PressBatch = { ...batch, itemCount: items.length, sheetCount };
  return {
    manifest: createManifest(printed, items),
    jobTicket: await papers.jobTicket(printed, items, signal),
    depositSlip: await papers.depositSlip(printed, items, signal),
  };
}

/** Returns the results of a file, or why they do not fit its batch. */
async function toPressResults(file: PrintResults): Promise<{ results: PressResult[] } | { problem: string }> {
  const ids = new Set<string>();
  for await (const { items } of readBatchJobs(file.batchId)) for (const { itemId } of items) ids.add(itemId);
  if (!('items' in file)) return { results: [...ids].map((itemId) => ({ itemId, result: 'printed' })) };
  const strange = file.items.find(({ itemId }) => !ids.has(itemId));
  return strange ? { problem: `${strange.itemId} is not in batch ${file.batchId}.` } : { results: file.items };
}
