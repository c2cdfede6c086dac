import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A server program on this machine that answered `--version`. */
export type ServerBinary = { path: string; version: string };

/** A usable program, or the reason why it cannot be used. */
export type BinaryTrial = { binary: ServerBinary } | { problem: string };

/** Returns the cache folder of downloaded servers, shared by all checkouts of the project. */
export function findCacheDir(environment: Record<string, string | undefined>): string {
  const { XDG_CACHE_HOME } = environment;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'bluejay');
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'bluejay');
}

/** Returns the first executable file of this name in the folders of PATH, or undefined. */
export async function findOnPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && (await isExecutable(file))) return file;
  }
  return undefined;
}

/** Returns whether the file exists and is executable. */
export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Runs `<path> --version` and reads the version from the first group of `pattern`. */
export async function tryBinary(path: string, pattern: RegExp): Promise<BinaryTrial> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 10_000 }, (error, stdout, stderr) => {
      const version = pattern.exec(stdout)?.[1];
      if (!error && version) return resolve({ binary: { path, version } });
      const library = /(lib[\w.+-]+\.so[.\d]*): cannot open/.exec(stderr)?.[1];
      if (library) return resolve({ problem: `${path} needs ${library}, which this machine lacks` });
      if (error?.signal === 'SIGILL')
        return resolve({ problem: `${path} needs a newer processor than this machine's` });
      resolve({ problem: `${path} does not run here (${(stderr || error?.message || stdout).trim().split('\n')[0]})` });
    });
  });
}
