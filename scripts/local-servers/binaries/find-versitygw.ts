import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheDir, isExecutable } from './binary.ts';

export const versitygwVersion = 'v1.7.0';
/** The build takes 72 s on two idle cores. */
const buildTimeoutMs = 480_000;

/** Returns versitygw, a real S3 server, from the cache folder, or builds it there with Go, which takes minutes. */
export async function findVersitygw(
  environment: Record<string, string | undefined>,
  report: (line: string) => void,
): Promise<string> {
  const folder = join(findCacheDir(environment), `versitygw-${versitygwVersion}-${process.platform}-${process.arch}`);
  const binary = join(folder, 'versitygw');
  if (await isExecutable(binary)) return binary;

  await mkdir(folder, { recursive: true });
  const building = await mkdtemp(join(folder, 'building-'));
  try {
    report(`Building versitygw ${versitygwVersion} (once, a minute or two) …`);
    await promisify(execFile)('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${versitygwVersion}`], {
      env: { ...environment, GOBIN: building },
      timeout: buildTimeoutMs,
    });
    // Renamed when complete, so the next run never finds a partial program.
    await rename(join(building, 'versitygw'), binary);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return binary;
}
