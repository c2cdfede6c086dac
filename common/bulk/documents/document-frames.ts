import { type FileHandle, open } from 'node:fs/promises';

/** Like any other document. */
export const maxDocumentBytes = 20 * 1024 * 1024;
const maxNameBytes = 1_000;
const headBytes = 6;

/** Returns the frame of a document: the length of its name and of its bytes, its name, its bytes. */
export function frameOf(name: string, bytes: Buffer): Buffer[] {
  const nameBytes = Buffer.from(name).subarray(0, maxNameBytes);
  const head = Buffer.alloc(headBytes);
  head.writeUInt16LE(nameBytes.length, 0);
  head.writeUInt32LE(bytes.length, 2);
  return [head, nameBytes, bytes];
}

/** Yields the documents of a file of frames, one in memory at a time. Ends at a frame that is cut off or too large. */
export async function* readFrames(path: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; ; ) {
      const head = await readExactly(file, at, headBytes);
      if (!head) return;
      const [nameBytes, sizeBytes] = [head.readUInt16LE(0), head.readUInt32LE(2)];
      if (nameBytes > maxNameBytes || sizeBytes > maxDocumentBytes) return;
      const name = await readExactly(file, at + headBytes, nameBytes);
      const bytes = await readExactly(file, at + headBytes + nameBytes, sizeBytes);
      if (!name || !bytes) return;
      yield { name: name.toString('utf8'), bytes };
      at += headBytes + nameBytes + sizeBytes;
    }
  } finally {
    await file.close();
  }
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, length, position);
  return bytesRead === length ? bytes : null;
}
