import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { acquireFileLock } from '../file-lock.ts';
import { findCacheDir, findOnPath, isExecutable, type ServerBinary, tryBinary } from './binary.ts';

/** One source of the program. */
export type Download = {
  /** The source as shown to the operator: `the vendor's build`. */
  source: string;
  /** Unique among the downloads of one server. */
  version: string;
  /** Why this machine cannot use it, or undefined when it can. */
  unfit?: string | undefined;
  /** Moves the program to `target` atomically. Throws an error with a short reason. */
  download(target: string, options: FindOptions): Promise<void>;
};

/** Prints one line of progress on the terminal. */
export type Report = (line: string) => void;

export type ServerKind = {
  /** The display name: `MongoDB`. */
  name: string;
  /** The program's file name. */
  program: string;
  /** Matches the version in the output of `--version` as its first group. */
  versionPattern: RegExp;
  /** The lowest supported version, as `major.minor`. */
  leastVersion: string;
  /** Tried in this order. */
  downloads: Download[];
  /** Instructions for Debian, macOS and Docker, shown when nothing was found. */
  help: string;
};

export type FindOptions = {
  /** PATH and XDG_CACHE_HOME say where to look. */
  environment: Record<string, string | undefined>;
  allowDownload: boolean;
  report: Report;
};

/** How long to wait for another process that downloads the same program. */
const downloadWaitMs = 300_000;

/** Returns a working program of this kind from PATH or the cache, or downloads it. Throws OperatorError. */
export async function findServer(kind: ServerKind, options: FindOptions): Promise<ServerBinary> {
  const { name, program, downloads } = kind;
  const problems: string[] = [];
  const onPath = await findOnPath(program, options.environment.PATH ?? '');
  const installed = onPath ? await tryKind(kind, onPath) : { problem: `there is no ${program} on PATH` };
  if ('binary' in installed) return installed.binary;
  problems.push(installed.problem);

  const fit = downloads.filter(({ unfit }) => !unfit);
  for (const download of downloads) if (download.unfit) problems.push(`${download.source}: ${download.unfit}`);
  for (const download of fit) {
    const cached = placeOf(kind, download, options);
    const trial = (await isExecutable(cached)) ? await tryKind(kind, cached) : undefined;
    if (trial && 'binary' in trial) return trial.binary;
  }
  if (!options.allowDownload) problems.push('downloads are switched off, and nothing usable is in the cache');
  for (const download of options.allowDownload ? fit : []) {
    const trial = await downloadServer(kind, download, options);
    if ('binary' in trial) return trial.binary;
    problems.push(`${download.source}: ${trial.problem}`);
  }

  const tried = problems.map((problem) => `  - ${problem}`).join('\n');
  throw new OperatorError(`${name} was not found on this machine and could not be downloaded:\n${tried}\n${kind.help}`);
}

async function downloadServer(kind: ServerKind, download: Download, options: FindOptions) {
  const target = placeOf(kind, download, options);
  const folder = dirname(target);
  try {
    await mkdir(folder, { recursive: true });
    const lock = await acquireFileLock(`${folder}.lock`, downloadWaitMs);
    if (!lock) return { problem: 'another program has been downloading it for minutes' };
    try {
      if (!(await isExecutable(target))) {
        options.report(`Downloading ${kind.name} ${download.version} from ${download.source} (once) …`);
        await download.download(target, options);
      }
    } finally {
      lock.release();
    }
    return await tryKind(kind, target);
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Returns the path of a downloaded program in the cache. */
function placeOf({ name, program }: ServerKind, { version }: Download, { environment }: FindOptions): string {
  return join(findCacheDir(environment), `${name.toLowerCase()}-${version}`, program);
}

async function tryKind({ versionPattern, leastVersion }: ServerKind, path: string) {
  const trial = await tryBinary(path, versionPattern);
  if ('binary' in trial && isOlder(trial.binary.version, leastVersion)) {
    return { problem: `${path} is version ${trial.binary.version}, older than ${leastVersion}` };
  }
  return trial;
}

function isOlder(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) < 0;
}
