import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Report } from './find-server.ts';
import { placeProgram, requireSha256 } from './place-program.ts';

/** Short, because a machine without a route to the vendor must fail fast. A slow download gets a longer timeout. */
const answerWithinMs = 8_000;
const silenceWhileLoadingMs = 60_000;
const reportEveryPercent = 10;

/** A vendor archive that contains `<folder>/bin/mongod`. */
export type MongodbArchive = {
  url: string;
  /** SHA-256 of the archive, in lower-case hex. */
  sha256: string;
};

/**
 * Downloads the archive, checks its SHA-256 before unpacking, and moves `mongod` to `target` atomically. Throws an
 * error with a short reason.
 */
export async function downloadMongodb(archive: MongodbArchive, target: string, report: Report): Promise<void> {
  await placeProgram(target, async (workDir) => {
    const file = join(workDir, 'archive.tgz');
    await fetchTo(file, archive.url, report);
    await requireSha256(file, archive.sha256, 'its archive');
    await promisify(execFile)('tar', ['-xzf', file, '-C', workDir, '--strip-components=2']);
    return join(workDir, 'mongod');
  });
}

async function fetchTo(file: string, url: string, report: Report): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), answerWithinMs);
  try {
    const response = await fetch(url, { signal: silence.signal });
    if (!response.ok || !response.body) throw new Error(`the vendor answered ${response.status}`);
    const totalBytes = Number(response.headers.get('content-length') ?? 0);
    let bytes = 0;
    let reported = 0;
    async function* watched(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceWhileLoadingMs);
        bytes += chunk.length;
        const percent = totalBytes > 0 ? Math.floor((100 * bytes) / totalBytes) : 0;
        if (percent >= reported + reportEveryPercent) {
          reported = percent;
          report(`  ${percent} %`);
        }
        yield chunk;
      }
    }
    await pipeline(Readable.fromWeb(response.body as never), watched, createWriteStream(file));
  } catch (error) {
    if (silence.signal.aborted) throw new Error('no route to it');
    // fetch throws a TypeError when it cannot connect.
    throw (error as Error).name === 'TypeError' ? new Error('no route to it', { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
