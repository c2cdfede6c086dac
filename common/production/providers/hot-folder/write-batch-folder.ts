import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileContent } from '#common/documents/file-content.ts';
import { fileMode, folderMode } from '#common/platform/drop-folder/prepare-folder.ts';
import type { PressItem } from '#common/production/press-batch.ts';
import { addClaim, discardFolders, findPublished, takeClaim } from './batch-claims.ts';
import { BatchManifest, paperFiles } from './batch-manifest.schema.ts';
import { onPath } from './hot-folder-error.ts';
import { itemFileOf, pathsOf, syncFolder } from './hot-folder-paths.ts';

/** What belongs to a batch beside its items. */
type BatchPapers = { manifest: BatchManifest; jobTicket: Uint8Array; depositSlip: Uint8Array };

/**
 * `already_there`: the batch was handed over before, and this folder was not. `contended`: another process is about to
 * publish the batch, has died doing so, or has discarded this folder. Look with `findPublished` later; if it says
 * `absent`, call `discardStale` and write the batch again.
 */
type PublishOutcome = 'published' | 'already_there' | 'contended';

/** The folder of a batch while it is written, in `.incoming`. The print system does not see it. */
export type BatchFolder = {
  /**
   * Writes a copy. It is on the disk when this returns. Several may be written at once. Throws an Error when the content
   * does not have the size and the hash of the item, and a HotFolderError when it cannot be written.
   */
  addItem(item: PressItem, content: FileContent): Promise<void>;
  /**
   * Writes manifest and papers, then hands the batch over by one rename to `out/<batchId>`. Throws an Error when the
   * manifest does not list exactly the items that were added. After an error of the file system the batch may be published:
   * `findPublished` knows.
   */
  publish(papers: BatchPapers): Promise<PublishOutcome>;
  /** Removes the folder, unless it is published. */
  discard(): Promise<void>;
};

/** Opens a new folder for a batch. Throws a HotFolderError when the hot folder is not there or cannot be written to. */
export async function openBatchFolder(root: string, batchId: string): Promise<BatchFolder> {
  const { incoming, folderOf } = pathsOf(root, batchId);
  const token = randomBytes(8).toString('hex');
  const folder = folderOf(token);
  await onPath(folder, () => mkdir(folder, { mode: folderMode }));
  await onPath(folder, () => mkdir(join(folder, 'items'), { mode: folderMode }));
  await addClaim(folder, token);
  const added = new Map<string, string>();

  return {
    async addItem(item, content) {
      const name = itemFileOf(item);
      if (added.has(name)) throw new Error(`The item ${item.itemId} is added twice.`);
      added.set(name, item.sha256);
      await onPath(join(folder, name), () => writeItem(join(folder, name), item, content));
    },
    async publish({ manifest, jobTicket, depositSlip }) {
      requireSameItems(BatchManifest.parse(manifest), batchId, added);
      const files = [
        [paperFiles.jobTicket, jobTicket],
        [paperFiles.depositSlip, depositSlip],
        [paperFiles.manifest, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
      ] as const;
      for (const [name, bytes] of files) await onPath(join(folder, name), () => writeNew(join(folder, name), [bytes]));
      for (const path of [join(folder, 'items'), folder, incoming]) await onPath(path, () => syncFolder(path));
      return await moveToOut(root, batchId, token);
    },
    discard: () => discardFolders(root, batchId, [token]),
  };
}

async function moveToOut(root: string, batchId: string, token: string): Promise<PublishOutcome> {
  const { incoming, out, published, folderOf } = pathsOf(root, batchId);
  if ((await findPublished(root, batchId)) === 'published') return 'already_there';
  if (!(await takeClaim(root, batchId, token))) {
    return (await findPublished(root, batchId)) === 'published' ? 'already_there' : 'contended';
  }
  const outcome = await onPath(published, () => renameTo(folderOf(token), published));
  if (outcome === 'published') for (const path of [out, incoming]) await onPath(path, () => syncFolder(path));
  return outcome;
}

async function renameTo(folder: string, published: string): Promise<PublishOutcome> {
  try {
    await rename(folder, published);
    return 'published';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) return 'already_there';
    // The folder is gone: `discardStale` of another process has renamed it.
    if (code === 'ENOENT') return 'contended';
    throw error;
  }
}

function requireSameItems(manifest: BatchManifest, batchId: string, added: ReadonlyMap<string, string>): void {
  const isListed = manifest.files.every(({ file, sha256 }) => added.get(file) === sha256);
  const names = new Set(manifest.files.map(({ file }) => file));
  if (manifest.batchId === batchId && isListed && names.size === added.size) return;
  throw new Error(`The manifest of ${batchId} does not list the ${added.size} items that were added.`);
}

async function writeItem(path: string, item: PressItem, content: FileContent): Promise<void> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* measured() {
    for await (const chunk of readChunks(content)) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  }
  await writeNew(path, measured());
  if (sizeBytes !== item.sizeBytes || hash.digest('hex') !== item.sha256) {
    throw new Error(`The content of the item ${item.itemId} is not the one that was rendered for it.`);
  }
}

/** Errors of reading are not those of the hot folder. */
async function* readChunks(content: FileContent): AsyncGenerator<Buffer> {
  if ('bytes' in content) {
    yield content.bytes;
    return;
  }
  try {
    yield* createReadStream(content.path, { highWaterMark: 256 * 1024 });
  } catch (error) {
    throw new Error('The file of an item cannot be read.', { cause: error });
  }
}

/** Writes a new file. It is on the disk when this returns. */
async function writeNew(path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', fileMode);
  try {
    for await (const chunk of chunks) await writeAll(file, chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
}
