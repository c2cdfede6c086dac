import { createHash, hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

/** The metadata of an object. It follows the bytes in the same file, so both are stored and removed atomically. */
type ObjectFacts = {
  /** Absent in files of earlier versions, which are therefore not listed. */
  key?: string;
  sizeBytes: number;
  contentType: string;
  /** Hexadecimal MD5 of the bytes; quoted on the wire. */
  md5: string;
};

const endMark = Buffer.from('BLUEJAY1');
const tailBytes = 4 + endMark.length;
/** A damaged length must not allocate gigabytes. */
const maxFactsBytes = 64 * 1024;
const damaged = () => new Error('An object file is damaged: its end does not describe it.');

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
  /** Returns the facts of the objects whose keys begin with `prefix`, in the order of their keys. Reads every file. */
  list(prefix: string): Promise<(ObjectFacts & { key: string })[]>;
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

    async list(prefix) {
      const listed: (ObjectFacts & { key: string })[] = [];
      for (const name of await readdir(dir)) {
        const object = name.endsWith('.object') ? await openObject(join(dir, name)) : null;
        if (!object) continue;
        await object.file.close();
        const { key, ...facts } = object.facts;
        if (key?.startsWith(prefix)) listed.push({ key, ...facts });
      }
      return listed.sort((left, right) => Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)));
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
    const text = Buffer.from(JSON.stringify(facts));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    await file.writeFile(Buffer.concat([text, length, endMark]));
    await file.sync();
    return facts;
  } finally {
    await file.close();
  }
}

/** Reads the facts from the end of an object file, whose first `sizeBytes` are the bytes. Throws when it is damaged. */
async function readFacts(file: FileHandle): Promise<ObjectFacts> {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - tailBytes), tailBytes);
  if (!tail.subarray(4).equals(endMark)) throw damaged();
  const factsBytes = tail.readUInt32BE(0);
  const sizeBytes = size - tailBytes - factsBytes;
  if (factsBytes > maxFactsBytes || sizeBytes < 0) throw damaged();
  const facts: ObjectFacts = JSON.parse((await readAt(file, sizeBytes, factsBytes)).toString());
  if (facts.sizeBytes !== sizeBytes) throw damaged();
  return facts;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/**
 * Makes a rename durable. Without it, a crash of the machine could lose an object whose upload was answered with 200.
 */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  await folder.sync().finally(() => folder.close());
}
