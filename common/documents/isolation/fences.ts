import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { FenceName } from '#common/config/variables.ts';

const programFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
const probeTimeoutMs = 20_000;

/** What this machine offers to isolate a child process. */
export type Fences = {
  /** Path of util-linux's prlimit. Null: the shell's `ulimit` is used, which cannot limit data on some systems. */
  prlimitPath: string | null;
  /** Command prefix that starts a process without network; empty where the system does not allow it. */
  withoutNetwork: readonly string[];
  /** Command prefix of a process that is killed when this one is; empty where the system has none. */
  endedWithParent: readonly string[];
};

let fences: Promise<Fences> | undefined;

/** Returns the fences of this machine. Probes once per process. */
export function findFences(): Promise<Fences> {
  fences ??= probeFences();
  return fences;
}

async function probeFences(): Promise<Fences> {
  const [prlimitPath, withoutNetwork, endedWithParent] = await Promise.all([
    findProgram('prlimit'),
    findNetworkFence(),
    findParentFence(),
  ]);
  return { prlimitPath, withoutNetwork, endedWithParent };
}

/** Without it, a child that computes survives a killed parent until its CPU limit. */
async function findParentFence(): Promise<string[]> {
  const setprivPath = await findProgram('setpriv');
  if (!setprivPath) return [];
  const words = [setprivPath, '--pdeathsig', 'KILL', '--'];
  return (await succeeds([...words, process.execPath, '--version'])) ? words : [];
}

/**
 * Prefers a user namespace (`-r`), also for root: a process inside one cannot inspect the processes outside, whatever
 * user it runs as. Many containers forbid both kinds of namespace.
 */
async function findNetworkFence(): Promise<string[]> {
  const unsharePath = await findProgram('unshare');
  if (!unsharePath) return [];
  for (const flags of ['-rn', '-n']) {
    const words = [unsharePath, flags, '--'];
    if (await succeeds([...words, process.execPath, '--version'])) return words;
  }
  return [];
}

/**
 * Returns the fences that this machine lacks. Each is probed with the command that starts children; a probe that fails
 * for any other reason counts as a missing fence. Probes start processes, so call this once, at start.
 */
export async function findMissingFences(): Promise<FenceName[]> {
  const found = await findFences();
  const isPresent: Record<FenceName, boolean | Promise<boolean>> = {
    network: found.withoutNetwork.length > 0,
    environment: hidesEnvironment(found),
    memory: found.prlimitPath !== null || succeeds(['/bin/sh', '-c', 'ulimit -d 65536 && [ "$(ulimit -d)" = 65536 ]']),
    permissions: succeeds([process.execPath, '--no-warnings', '--permission', '--eval', readsExecPath]),
  };
  const probed = Object.entries(isPresent).map(async ([name, present]) => [name as FenceName, await present] as const);
  return (await Promise.all(probed)).filter(([, present]) => !present).map(([name]) => name);
}

/** Exits with 0 when Node refuses to read a file outside its permissions. */
const readsExecPath = `
  try { require('node:fs').readFileSync(process.execPath); process.exit(1); }
  catch ({ code }) { process.exit(code === 'ERR_ACCESS_DENIED' ? 0 : 1); }`;

/**
 * Exits with 0 when it cannot read the environment of its parent or of any ancestor. An init process of the same user
 * carries the same secrets as the program it started.
 */
const readsEnvironments = `
  const { readFileSync } = require('node:fs');
  const isClosed = (pid) => {
    try { readFileSync('/proc/' + pid + '/environ'); return false; }
    catch ({ code }) { return code === 'EACCES' || code === 'EPERM'; }
  };
  for (let pid = Number(process.argv[1]); pid > 0; ) {
    if (!isClosed(pid)) process.exit(1);
    const stat = readFileSync('/proc/' + pid + '/stat', 'latin1');
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }`;

/** Runs without the permission model, which does not restrict native code. */
function hidesEnvironment({ withoutNetwork }: Fences): Promise<boolean> {
  return succeeds([...withoutNetwork, process.execPath, '--eval', readsEnvironments, String(process.pid)]);
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

async function succeeds([file = '', ...args]: readonly string[]): Promise<boolean> {
  return promisify(execFile)(file, args, { timeout: probeTimeoutMs, env: {} }).then(
    () => true,
    () => false,
  );
}
