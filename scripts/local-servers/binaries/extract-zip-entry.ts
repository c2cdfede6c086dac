import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localHeaderBytes = 30;
const deflated = 8;

/** Writes one entry of a zip file to `target`. Throws when the archive has no such entry. */
export async function extractZipEntry(archive: string, entryName: string, target: string): Promise<void> {
  const { start, storedBytes, method } = await findEntry(archive, entryName);
  const source = createReadStream(archive, { start, end: start + storedBytes - 1 });
  const sink = createWriteStream(target, { mode: 0o755, flush: true });
  if (method === deflated) await pipeline(source, createInflateRaw(), sink);
  else await pipeline(source, sink);
}

async function findEntry(archive: string, entryName: string) {
  const file = await open(archive);
  try {
    const { size } = await file.stat();
    const read = async (position: number, bytes: number) =>
      (await file.read(Buffer.alloc(bytes), 0, bytes, position)).buffer;

    // The end record has 22 bytes. A comment of at most 65,535 bytes may follow it.
    const tailBytes = Math.min(size, 65_557);
    const tail = await read(size - tailBytes, tailBytes);
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
    if (end < 0 || tail.readUInt32LE(end) !== endSignature) throw new Error(`${archive} is not a zip file`);
    const directory = await read(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));

    for (let at = 0; at < directory.length && directory.readUInt32LE(at) === entrySignature; ) {
      const nameBytes = directory.readUInt16LE(at + 28);
      const skipBytes = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
      const name = directory.toString('utf8', at + 46, at + 46 + nameBytes);
      if (name === entryName) {
        const headerAt = directory.readUInt32LE(at + 42);
        const header = await read(headerAt, localHeaderBytes);
        return {
          start: headerAt + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28),
          storedBytes: directory.readUInt32LE(at + 20),
          method: directory.readUInt16LE(at + 10),
        };
      }
      at += 46 + nameBytes + skipBytes;
    }
    throw new Error(`${archive} has no entry ${entryName}`);
  } finally {
    await file.close();
  }
}
