import { createHash, hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { appendFacts, type ObjectFacts, readFacts } from './object-file.ts';
import { StoreError } from './store-error.ts';

/** `sizeBytes` is the announced size. */
type Upload = { key: string; contentType: string; sizeBytes: number; body: AsyncIterable<Uint8Array> };

/** Stores objects as files in one folder. File names are hashes of the keys, so no key can lead out of the folder. */
export type DiskStorage = {
  /**
   * Opens an object, or returns null. The caller closes the file, whose content stays even if the object is replaced.
   */
  open(key: string): Promise<{ facts: ObjectFacts; file: FileHandle } | null>;
  /** Stores the whole body or nothing. Throws IncompleteBody for a body of another size. */
  put(upload: Upload): Promise<ObjectFacts>;
  /** Removes an object, if it exists. */
  remove(key: string): Promise<void>;
};

/** Creates the folder if needed and removes unfinished uploads of earlier processes. One process at a time may use it. */
export async function openDiskStorage(dir: string): Promise<DiskStorage> {
  await mkdir(dir, { recursive: true });
  for (const name of await readdir(dir)) {
    if (name.endsWith('.tmp')) await rm(join(dir, name), { force: true });
  }
  const pathOf = (key: string) => join(dir, `${hash('sha256', key)}.object`);

  return {
    open: (key) => openObject(pathOf(key)),

    async put(upload) {
      const temporaryPath = join(dir, `${randomUUID()}.tmp`);
      try {
        const facts = await writeUpload(temporaryPath, upload);
        await rename(temporaryPath, pathOf(upload.key));
        await syncFolder(dir);
        return facts;
      } catch (error) {
        await rm(temporaryPath, { force: true });
        throw error;
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
      await syncFolder(dir);
    },
  };
}

async function openObject(path: string) {
  const file = await open(path, 'r').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return null;
  try {
    return { file, facts: await readFacts(file) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Writes bytes and facts, and returns after fsync. */
async function writeUpload(path: string, { key, contentType, sizeBytes, body }: Upload): Promise<ObjectFacts> {
  const file = await open(path, 'wx');
  try {
    const md5 = createHash('md5');
    let writtenBytes = 0;
    for await (const chunk of body) {
      md5.update(chunk);
      writtenBytes += chunk.length;
      await file.writeFile(chunk);
    }
    if (writtenBytes !== sizeBytes) throw new StoreError('IncompleteBody');
    const facts = { key, sizeBytes, contentType, md5: md5.digest('hex') };
    await appendFacts(file, facts);
    await file.sync();
    return facts;
  } finally {
    await file.close();
  }
}

/**
 * Makes a rename durable. Without it, a crash of the machine could lose an object whose upload was answered with 200.
 */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  await folder.sync().finally(() => folder.close());
}
