import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireFileLock } from '#scripts/local-servers/file-lock.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { pollUntil } from '#scripts/program/poll-until.ts';
import type { Environment } from '#scripts/prove/engine/engine.ts';
import { type CommandOptions, runCommand } from '#scripts/prove/run-command.ts';
import type { Programs } from '../programs/find-programs.ts';
import {
  type ClusterFiles,
  configureCluster,
  containerdName,
  containerdSocket,
  kubeconfigName,
  serviceRange,
} from './configure-cluster.ts';
import { type Enclosure, isolate, node, type OpenProgram } from './isolate.ts';
import { removeCgroups } from './remove-cgroups.ts';

const readyWithinMs = 120_000;
const goneWithinMs = 30_000;
const importWithinMs = 300_000;
const commandWithinMs = 60_000;
/** Longer than kubectl waits for a rollout. */
const kubectlWithinMs = 660_000;

/** A cluster of one node on this machine, for this run alone. */
export type Cluster = {
  /** Starts its programs, and waits until the node accepts pods with the images of the archive. */
  start(archive: string): Promise<void>;
  /** Runs kubectl, helm or another program inside. */
  run(words: string[], options?: Partial<CommandOptions>): Promise<string>;
  kubectl(...words: string[]): Promise<string>;
  /** Starts a program inside whose input ends with `stop`. */
  open(words: string[], environment: Environment): OpenProgram;
  /** Ends everything inside. */
  stop(): Promise<void>;
};

/** Reserves the folder of a run. Removes what a killed run has left there. */
export async function claimFolder({ cache }: Programs): Promise<{ folder: string; release(): Promise<void> }> {
  const folder = join(cache, 'run');
  const lock = await acquireFileLock(`${folder}.lock`, 1_000);
  if (!lock) throw new OperatorError('Another proof of Kubernetes is running. Wait for its end, then try again.');
  await removeCgroups(join(folder, containerdName));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(folder, { recursive: true });
  const release = async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    lock.release();
  };
  return { folder, release };
}

/** `pauseImage` is the image of the process that holds the network of a pod. Starts nothing. */
export function createCluster({ path, cniFolder }: Programs, folder: string, pauseImage: string): Cluster {
  const environment = { PATH: path, HOME: folder, KUBECONFIG: join(folder, kubeconfigName) };
  let enclosure: Enclosure | undefined;
  const inside = () => {
    if (!enclosure) throw new Error('The cluster is not running.');
    return enclosure;
  };
  const run = (words: string[], options: Partial<CommandOptions> = {}) =>
    inside().run(words, { env: environment, withinMs: commandWithinMs, ...options });

  async function waitFor(name: string, words: string[]): Promise<void> {
    const answers = () => run(words, { withinMs: 10_000 }).then(Boolean, () => false);
    if (await pollUntil(answers, { everyMs: 300, withinMs: readyWithinMs })) return;
    const lines = await runCommand(['tail', '-n', '5', join(folder, `${name}.log`)], { withinMs: 5_000 });
    throw new Error(`${name} is not ready.\n${lines}`);
  }

  return {
    async start(archive) {
      const files = await configureCluster(folder, { cniFolder, pauseImage });
      enclosure = await isolate(folder, path);
      const start = (words: string[]) => inside().start(words, environment, join(folder, `${words[0]}.log`));
      for (const words of controlPlane(files, folder)) start(words);
      await waitFor('kube-apiserver', ['kubectl', 'get', '--raw', '/readyz']);
      const ctr = ['ctr', '--address', containerdSocket, '--namespace', 'k8s.io'];
      await waitFor('containerd', [...ctr, 'version']);
      await run([...ctr, 'images', 'import', archive], { withinMs: importWithinMs });
      for (const words of nodePrograms(files, folder)) start(words);
      await waitFor('kubelet', ['kubectl', 'get', 'node', node.name, '--output=name']);
      await run(['kubectl', 'wait', '--for=condition=Ready', `node/${node.name}`, '--timeout=120s'], {
        withinMs: readyWithinMs,
      });
    },
    run,
    kubectl: (...words) => run(['kubectl', ...words], { withinMs: kubectlWithinMs }),
    open: (words, more) => inside().open(words, { ...environment, ...more }),
    async stop() {
      await enclosure?.end();
      const areGone = () => removeCgroups(join(folder, containerdName));
      if (!(await pollUntil(areGone, { everyMs: 200, withinMs: goneWithinMs }))) {
        throw new Error('Cgroups of the cluster are left, in k8s.io.');
      }
    },
  };
}

function controlPlane({ kubeconfig, tokens, serviceAccountKey, containerd }: ClusterFiles, folder: string) {
  return [
    ['etcd', '--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
    ['containerd', '--config', containerd],
    [
      'kube-apiserver',
      ...['--etcd-servers', 'http://127.0.0.1:2379', '--cert-dir', join(folder, 'certificates')],
      ...['--advertise-address', node.address, '--service-cluster-ip-range', serviceRange],
      ...['--authorization-mode', 'RBAC', '--token-auth-file', tokens, '--allow-privileged'],
      ...['--service-account-issuer', 'https://kubernetes', '--service-account-key-file', serviceAccountKey],
      ...['--service-account-signing-key-file', serviceAccountKey],
    ],
    [
      'kube-controller-manager',
      ...['--kubeconfig', kubeconfig, '--leader-elect=false', '--controllers=*,-nodeipam'],
      ...['--service-account-private-key-file', serviceAccountKey, '--cert-dir', join(folder, 'certificates')],
    ],
    ['kube-scheduler', '--kubeconfig', kubeconfig, '--leader-elect=false', '--cert-dir', join(folder, 'certificates')],
  ];
}

function nodePrograms({ kubeconfig, kubelet }: ClusterFiles, folder: string) {
  const named = ['--kubeconfig', kubeconfig, '--hostname-override', node.name];
  return [
    ['kubelet', ...named, '--config', kubelet, '--root-dir', join(folder, 'kubelet'), '--node-ip', node.address],
    [
      'kube-proxy',
      ...[...named, '--proxy-mode', 'iptables', '--masquerade-all'],
      // Limits of the whole machine stay.
      ...['--conntrack-max-per-core=0', '--oom-score-adj', '0'],
    ],
  ];
}
