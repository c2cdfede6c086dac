import { createHash, hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { appendFacts, type ObjectFacts, readFacts } from './object-file.ts';

type Upload = { key: string; contentType: string; body: AsyncIterable<Uint8Array>; storedAtMs: number };

/** An upload that lies complete in a temporary file: keep it or throw it away, one of them exactly once. */
export type StagedObject = {
  sizeBytes: number;
  md5: string;
  sha256: string;
  /** Puts it in place. `refuse` sees what is there now and may throw, and nothing comes between the two. */
  keep(refuse: (current: ObjectFacts | null) => void): Promise<ObjectFacts>;
  discard(): Promise<void>;
};

type StoredObject = { facts: ObjectFacts; file: FileHandle };

/** Objects as files in one folder, named by the hash of their key, so that no key can lead out of it. */
export type DiskStorage = {
  /** Opens an object, or null. The caller closes the file; what it reads stays the same even if the object is replaced. */
  open(key: string): Promise<StoredObject | null>;
  stage(upload: Upload): Promise<StagedObject>;
  /** A missing object is no error. `refuse` as in `keep`. */
  remove(key: string, refuse: (current: ObjectFacts | null) => void): Promise<void>;
};

/**
 * Makes the folder if need be and clears it of uploads that a former process left unfinished.
 * A folder belongs to one process at a time: the order of writes to one key is kept in memory.
 */
export async function openDiskStorage(dir: string): Promise<DiskStorage> {
  await mkdir(dir, { recursive: true });
  for (const name of await readdir(dir)) {
    if (name.endsWith('.tmp')) await rm(join(dir, name), { force: true });
  }
  const withLock = createKeyedLock();
  const pathOf = (key: string) => join(dir, `${hash('sha256', key)}.object`);

  return {
    open: (key) => openObject(pathOf(key)),

    async stage(upload) {
      const temporaryPath = join(dir, `${randomUUID()}.tmp`);
      const discard = () => rm(temporaryPath, { force: true });
      try {
        const { facts, sha256 } = await writeUpload(temporaryPath, upload);
        const path = pathOf(upload.key);
        const keep = (refuse: (current: ObjectFacts | null) => void) =>
          withLock(path, async () => {
            refuse(await factsAt(path));
            await rename(temporaryPath, path);
            await syncFolder(dir);
            return facts;
          });
        return { sizeBytes: facts.sizeBytes, md5: facts.md5, sha256, keep, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },

    remove(key, refuse) {
      const path = pathOf(key);
      return withLock(path, async () => {
        refuse(await factsAt(path));
        await rm(path, { force: true });
        await syncFolder(dir);
      });
    },
  };
}

async function openObject(path: string): Promise<StoredObject | null> {
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

async function factsAt(path: string): Promise<ObjectFacts | null> {
  const object = await openObject(path);
  await object?.file.close();
  return object?.facts ?? null;
}

/** Writes bytes and facts and returns once the disk has them. */
async function writeUpload(path: string, { key, contentType, body, storedAtMs }: Upload) {
  const file = await open(path, 'wx');
  try {
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    let sizeBytes = 0;
    for await (const chunk of body) {
      md5.update(chunk);
      sha256.update(chunk);
      sizeBytes += chunk.length;
      await file.writeFile(chunk);
    }
    const facts = { key, sizeBytes, contentType, md5: md5.digest('hex'), storedAtMs };
    await appendFacts(file, facts);
    await file.sync();
    return { facts, sha256: sha256.digest('hex') };
  } finally {
    await file.close();
  }
}

/** Without this a crash of the machine could forget a name that was already answered for. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Runs works of one key one after another, in the order they came, and those of different keys side by side. */
function createKeyedLock() {
  /** The last work of each key that is not done; one entry for each key at work, none for the others. */
  const tails = new Map<string, Promise<unknown>>();

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = tails.get(key);
    // A work that failed does not stop the next: its failure belongs to its own caller.
    const mine = before ? before.then(work, work) : work();
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };
}
