import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** The content of a file: on the local disk, or in memory when it is small. */
export type FileContent = { path: string } | { bytes: Buffer };

/** Returns the path of the content. Content in memory is written to a new file at `newPath`. */
export async function toPath(content: FileContent, newPath: string): Promise<string> {
  if ('path' in content) return content.path;
  await writeFile(newPath, content.bytes, { flag: 'wx', mode: 0o600 });
  return newPath;
}

/** Returns the size and the SHA-256 in hexadecimal. */
export async function measure(content: FileContent): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  if ('bytes' in content) return { sizeBytes: content.bytes.length, sha256: hash.update(content.bytes).digest('hex') };
  await pipeline(createReadStream(content.path, { highWaterMark: 1024 * 1024 }), hash);
  return { sizeBytes: (await stat(content.path)).size, sha256: hash.digest('hex') };
}
