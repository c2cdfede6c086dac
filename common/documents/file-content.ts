import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { appendFile, copyFile, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** The content of a file: on the local disk, or in memory when it is small. */
export type FileContent = { path: string } | { bytes: Buffer };

/** Returns the path of the content. Content in memory is written to a new file at `newPath`. */
export async function toPath(content: FileContent, newPath: string): Promise<string> {
  if ('path' in content) return content.path;
  await writeFile(newPath, content.bytes, { flag: 'wx', mode: 0o600 });
  return newPath;
}

/**
 * Returns a file with further bytes behind its own: in memory if the file is, else as a new file at the path that
 * `newPath` returns, where the file system shares the bytes with the first if it can.
 */
export async function appendTo(
  content: FileContent,
  tail: Buffer,
  newPath: () => Promise<string>,
): Promise<FileContent> {
  if ('bytes' in content) return { bytes: Buffer.concat([content.bytes, tail]) };
  const path = await newPath();
  await copyFile(content.path, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await appendFile(path, tail);
  return { path };
}

/** Returns the size and the SHA-256 in hexadecimal. */
export async function measure(content: FileContent): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  if ('bytes' in content) return { sizeBytes: content.bytes.length, sha256: hash.update(content.bytes).digest('hex') };
  await pipeline(createReadStream(content.path, { highWaterMark: 1024 * 1024 }), hash);
  return { sizeBytes: (await stat(content.path)).size, sha256: hash.digest('hex') };
}
