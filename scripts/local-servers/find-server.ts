import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { findCacheDir, findOnPath, isExecutable, type ServerBinary, tryBinary } from './binary.ts';
import { acquireFileLock } from './file-lock.ts';

/** One place where the program can be had from. */
export type Download = {
  /** Where from, for people: `the vendor's build`. */
  source: string;
  version: string;
  /** The folder in the cache, unlike any other download's. */
  folder: string;
  /** Why this machine cannot use it; undefined when it can. */
  unfit?: string | undefined;
  /** Puts the program at `target`, whole or not at all; otherwise throws an error that says why in a few words. */
  bring(target: string, options: FindOptions): Promise<void>;
};

/** Takes one line of progress for the person at the terminal. */
export type Report = (line: string) => void;

export type ServerKind = {
  /** For people: `MongoDB`. */
  name: string;
  /** The program's file name. */
  program: string;
  /** Finds the version in what `--version` prints, as its first group. */
  versionPattern: RegExp;
  /** The lowest version that will do, as `major.minor`. */
  leastVersion: string;
  /** Tried in this order. */
  downloads: Download[];
  /** The ways out when nothing was found: lines for Debian, macOS and Docker. */
  help: string;
};

export type FindOptions = {
  /** PATH, XDG_CACHE_HOME: where to look. */
  environment: Record<string, string | undefined>;
  allowDownload: boolean;
  report: Report;
};

/** Two programs that want the same download: the second waits this long for the first. */
const downloadWaitMs = 300_000;

/** A program of this kind that was seen to run: from PATH, from the cache, or downloaded now. Throws OperatorError. */
export async function findServer(kind: ServerKind, options: FindOptions): Promise<ServerBinary> {
  const { name, program, downloads } = kind;
  const problems: string[] = [];
  const onPath = await findOnPath(program, options.environment.PATH ?? '');
  const installed = onPath ? await tryKind(kind, onPath) : { problem: `there is no ${program} on PATH` };
  if ('binary' in installed) return installed.binary;
  problems.push(installed.problem);

  const fit = downloads.filter(({ unfit }) => !unfit);
  for (const download of downloads) if (download.unfit) problems.push(`${download.source}: ${download.unfit}`);
  for (const { folder } of fit) {
    const cached = join(findCacheDir(options.environment), folder, program);
    const trial = (await isExecutable(cached)) ? await tryKind(kind, cached) : undefined;
    if (trial && 'binary' in trial) return trial.binary;
  }
  if (!options.allowDownload) problems.push('downloads are switched off, and nothing usable is in the cache');
  for (const download of options.allowDownload ? fit : []) {
    const trial = await bring(kind, download, options);
    if ('binary' in trial) return trial.binary;
    problems.push(`${download.source}: ${trial.problem}`);
  }

  const tried = problems.map((problem) => `  - ${problem}`).join('\n');
  throw new OperatorError(`${name} was not found on this machine and could not be brought:\n${tried}\n${kind.help}`);
}

async function bring(kind: ServerKind, download: Download, options: FindOptions) {
  const { environment, report } = options;
  const { name, program } = kind;
  const folder = join(findCacheDir(environment), download.folder);
  const target = join(folder, program);
  try {
    await mkdir(folder, { recursive: true });
    const lock = await acquireFileLock(`${folder}.lock`, downloadWaitMs);
    if (!lock) return { problem: 'another program has been downloading it for minutes' };
    try {
      if (!(await isExecutable(target))) {
        report(`Bringing ${name} ${download.version} from ${download.source} (once) …`);
        await download.bring(target, options);
      }
    } finally {
      lock.release();
    }
    return await tryKind(kind, target);
  } catch (error) {
    return { problem: (error as Error).message };
  }
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
