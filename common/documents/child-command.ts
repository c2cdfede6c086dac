import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ChildLimits } from './child-limits.ts';

/**
 * V8 reserves 512 MB of address space for machine code at start, and Linux counts all of it as data (a bare Node was
 * measured at 534 MB). The limit comes on top of it.
 */
const reservedByNodeBytes = 512 * 1024 * 1024;

const programFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
const root = fileURLToPath(new URL('../../', import.meta.url));
/** Where the packages really lie: the permission model judges paths after links, and node_modules may be one. */
const packages = realpathSync(`${root}node_modules`);

/** A child's program: a TypeScript file and what Node's own permission model lets it do. */
export type ChildProgram = {
  entryPath: string;
  /** `nativeCode` for a program that needs a compiled library; `off` is for tests that break out on purpose. */
  permissions: 'plain' | 'nativeCode' | 'off';
};

export type ChildCommand = { file: string; args: string[] };

/** What this machine offers to fence a child in. */
export type Fences = {
  /** Path of util-linux's prlimit; null: `ulimit` of the shell, which knows no bytes of data on some systems. */
  prlimitPath: string | null;
  /** Words before the command that take the network away; empty where the system does not allow it. */
  withoutNetwork: readonly string[];
};

let fences: Promise<Fences> | undefined;

/** Finds out once what this machine offers. */
export function findFences(): Promise<Fences> {
  fences ??= probeFences();
  return fences;
}

async function probeFences(): Promise<Fences> {
  return { prlimitPath: await findProgram('prlimit'), withoutNetwork: await findNetworkFence() };
}

/** As root plainly, else in a user namespace of its own; many containers forbid both. */
async function findNetworkFence(): Promise<string[]> {
  const unsharePath = await findProgram('unshare');
  if (!unsharePath) return [];
  for (const flags of ['-n', '-rn']) {
    const words = [unsharePath, flags, '--'];
    if (await succeeds(unsharePath, [flags, '--', process.execPath, '--version'])) return words;
  }
  return [];
}

async function findProgram(name: string): Promise<string | null> {
  for (const folder of programFolders) {
    const path = `${folder}/${name}`;
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

async function succeeds(file: string, args: string[]): Promise<boolean> {
  return promisify(execFile)(file, args, { timeout: 5000, env: {} }).then(
    () => true,
    () => false,
  );
}

/**
 * The command line that runs `program` with `args` under `limits`. Every program in the chain replaces itself by the
 * next, so the process that is started is the one that opens the document.
 */
export function buildChildCommand(
  program: ChildProgram,
  args: readonly string[],
  limits: ChildLimits,
  fences: Fences,
  folders: { readable: readonly string[]; writable: string },
): ChildCommand {
  const node = [process.execPath, ...nodeFlags(program, limits, folders), program.entryPath, ...args];
  const words = [...fences.withoutNetwork, ...limitWords(limits, fences.prlimitPath), ...node];
  const [file = process.execPath, ...rest] = words;
  return { file, args: rest };
}

function nodeFlags(
  program: ChildProgram,
  limits: ChildLimits,
  folders: { readable: readonly string[]; writable: string },
) {
  // The heap stays below the data limit: reaching it ends in Node's own message and not in a failed system call.
  const heapMib = Math.floor((limits.dataBytes * 0.75) / 1024 / 1024);
  const flags = ['--no-warnings', `--max-old-space-size=${heapMib}`, '--v8-pool-size=1'];
  if (program.permissions === 'off') return flags;

  const readable = [
    `${root}common/`,
    `${root}node_modules/`,
    `${packages}/`,
    `${root}package.json`,
    ...folders.readable,
    folders.writable,
  ];
  return [
    ...flags,
    '--permission',
    ...(program.permissions === 'nativeCode' ? ['--allow-addons'] : []),
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${folders.writable}`,
  ];
}

function limitWords({ cpuS, dataBytes, fileBytes, openFiles }: ChildLimits, prlimitPath: string | null): string[] {
  const allDataBytes = dataBytes + reservedByNodeBytes;
  if (prlimitPath) {
    return [
      prlimitPath,
      `--cpu=${cpuS}:${cpuS + 2}`,
      `--data=${allDataBytes}`,
      `--fsize=${fileBytes}`,
      `--nofile=${openFiles}`,
      '--core=0',
      '--',
    ];
  }
  // Blocks of 512 bytes, kilobytes of data; a shell that cannot limit data goes on without that fence.
  const limits = [
    `ulimit -t ${cpuS}`,
    `ulimit -f ${Math.ceil(fileBytes / 512)}`,
    `ulimit -n ${openFiles}`,
    'ulimit -c 0',
    `ulimit -d ${Math.ceil(allDataBytes / 1024)} 2>/dev/null || :`,
  ];
  return ['/bin/sh', '-c', `${limits.join('; ')}; exec "$@"`, 'sh'];
}
