import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { fileMode } from './backup-folder.ts';

export type WrittenFile = { sizeBytes: number; sha256: string };

/** Fast rather than small: higher levels take three times the CPU for a tenth of the size. */
const gzipOptions = { level: constants.Z_BEST_SPEED, chunkSize: 256 * 1024 };
/** Rows are a few kB. Larger pieces pass the stream faster. */
const pieceBytes = 512 * 1024;

/** Compresses pieces into a new file, and returns after fsync. Memory is bounded by a few pieces. */
export async function writeCompressed(path: string, pieces: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
  const sha256 = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    Readable.from(gather(pieces)),
    createGzip(gzipOptions),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const chunk of compressed) {
        sha256.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: fileMode, flush: true }),
  );
  return { sizeBytes, sha256: sha256.digest('hex') };
}

async function* gather(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    bytes += piece.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(gathered, bytes);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered, bytes);
}

/** Yields the content of a compressed file. Throws zlib's error for a damaged one. */
export async function* readCompressed(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: pieceBytes });
  const unzip = createGunzip({ chunkSize: pieceBytes });
  // An error of the file must end the reading, too.
  file.on('error', (error) => unzip.destroy(error));
  try {
    for await (const chunk of file.pipe(unzip)) yield chunk as Buffer;
  } finally {
    file.destroy();
  }
}

/** Yields the lines of a compressed file. */
export async function* readLines(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: Readable.from(readCompressed(path)) });
}

/** Returns size and digest of a file, as `sha256` or `md5`. */
export async function digestFile(
  path: string,
  algorithm: 'sha256' | 'md5',
): Promise<{ sizeBytes: number; digest: string }> {
  const digest = createHash(algorithm);
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) {
    digest.update(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
  }
  return { sizeBytes, digest: digest.digest('hex') };
}

/** Waits until the content of a file, or the names in a folder, are on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const opened = await open(path, 'r');
  await opened.sync().finally(() => opened.close());
}
