import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExecutable } from '#scripts/local-servers/binaries/binary.ts';
import type { Environment } from '#scripts/prove/engine/engine.ts';
import { runCommand } from '#scripts/prove/run-command.ts';

/** That of `kubectl version`, without the v. */
export const kubernetesVersion = '1.35.4';
const helm = 'helm.sh/helm/v3/cmd/helm@v3.22.0';

const kubernetesPrograms = [
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'],
  ...['kubelet', 'kube-proxy', 'kubectl'],
];
export const builtPrograms = [...kubernetesPrograms, 'helm'];

const wholeVersion = `v${kubernetesVersion}`;
/** The libraries of Kubernetes are published as modules of their own, with this version. */
const libraryVersion = `v0${kubernetesVersion.slice(1)}`;
const buildWithinMs = 3_600_000;

/**
 * Builds the programs that the folder lacks, with Go, which takes ten minutes of CPU time and more. No release of
 * Kubernetes is downloaded, so the only thing to trust is Go's checksum database.
 */
export async function buildPrograms(folder: string, environment: Environment, report: (line: string) => void) {
  await mkdir(folder, { recursive: true });
  const building = await mkdtemp(join(folder, 'building-'));
  const go = (words: string[]) =>
    runCommand(['go', ...words], {
      cwd: building,
      env: { ...environment, GOFLAGS: '-mod=mod', GOBIN: building },
      withinMs: buildWithinMs,
    });
  try {
    await writeModule(building, await go(['mod', 'download', '-json', `k8s.io/kubernetes@${wholeVersion}`]));
    const [major, minor] = kubernetesVersion.split('.');
    const version = { gitVersion: wholeVersion, gitMajor: major, gitMinor: minor };
    const variables = Object.entries(version).map(
      ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
    );
    for (const name of builtPrograms) {
      if (await isExecutable(join(folder, name))) continue;
      report(`Building ${name} (once, some minutes) …`);
      const built = join(building, name);
      if (name === 'helm') await go(['install', helm]);
      else await go(['build', '-ldflags', variables.join(' '), '-o', built, `k8s.io/kubernetes/cmd/${name}`]);
      // Renamed when complete, so the next run never finds a partial program.
      await rename(built, join(folder, name));
    }
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/**
 * Writes a module that requires Kubernetes. Go cannot install its programs by name and version, because its module finds
 * its libraries in folders beside it. Here they are modules.
 */
async function writeModule(folder: string, downloaded: string): Promise<void> {
  const { Dir: sources } = JSON.parse(downloaded) as { Dir: string };
  const text = (await readFile(join(sources, 'go.mod'), 'utf8'))
    .replace(/^module .*$/m, 'module bluejay.proof/kubernetes')
    // Not v0.0.0-2016…, which are versions of other modules.
    .replace(/^(\s*k8s\.io\/\S+) v0\.0\.0(?=\s)/gm, `$1 ${libraryVersion}`)
    .replace(/^(\s*)(k8s\.io\/\S+) => \.\/staging\/\S+$/gm, `$1$2 => $2 ${libraryVersion}`);
  await writeFile(join(folder, 'go.mod'), `${text}\nrequire k8s.io/kubernetes ${wholeVersion}\n`);
  await cp(join(sources, 'go.sum'), join(folder, 'go.sum'));
  // The module cache is read-only, and go adds the sums of the libraries.
  await runCommand(['chmod', 'u+w', 'go.sum'], { cwd: folder, withinMs: 5_000 });
}
