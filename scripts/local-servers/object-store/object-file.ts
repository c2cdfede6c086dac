import type { FileHandle } from 'node:fs/promises';

/** The metadata of an object. It follows the bytes in the same file, so both are stored and removed atomically. */
export type ObjectFacts = {
  key: string;
  sizeBytes: number;
  contentType: string;
  /** Hexadecimal MD5 of the bytes; quoted on the wire. */
  md5: string;
};

const endMark = Buffer.from('BLUEJAY1');
const tailBytes = 4 + endMark.length;
const maxFactsBytes = 64 * 1024;

/** Appends the facts to a file that contains exactly the object's bytes. */
export async function appendFacts(file: FileHandle, facts: ObjectFacts): Promise<void> {
  const text = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  await file.writeFile(Buffer.concat([text, length, endMark]));
}

/** Reads the facts from the end of an object file, whose first `sizeBytes` are the bytes. Throws when it is damaged. */
export async function readFacts(file: FileHandle): Promise<ObjectFacts> {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - tailBytes), tailBytes);
  const factsBytes = tail.length === tailBytes ? tail.readUInt32BE(0) : 0;
  if (!tail.subarray(4).equals(endMark) || factsBytes > Math.min(maxFactsBytes, size - tailBytes)) throw damaged();
  const facts = JSON.parse((await readAt(file, size - tailBytes - factsBytes, factsBytes)).toString()) as ObjectFacts;
  if (facts.sizeBytes !== size - tailBytes - factsBytes) throw damaged();

  return facts;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function damaged(): Error {
  return new Error('An object file is damaged: its end does not describe it.');
}
