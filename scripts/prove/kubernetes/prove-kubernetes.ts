import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccount } from '../open-account.ts';
import type { Proof, ProofContext } from '../proof.ts';
import {
  changeVersion,
  checkMoney,
  checkPods,
  checkRestricted,
  drain,
  rollOut,
  topUp,
  uninstall,
} from './check-installation.ts';
import { claimFolder, createCluster } from './cluster/cluster.ts';
import { collectImages, pauseImage } from './collect-images.ts';
import { createCustomer } from './customer/customer.ts';
import { readsPerSecond, writesPerSecond } from './customer/load-api.ts';
import { createInstallation, parts } from './installation.ts';
import { kubernetesVersion } from './programs/build-programs.ts';
import { findPrograms } from './programs/find-programs.ts';

const loadAloneMs = 30_000;

const notProven = [
  'enforcement of network policies (the cluster has no network plugin that does it)',
  ...['cluster DNS', 'ingress', 'autoscaling by CPU and by KEDA', 'monitoring objects', 'several nodes'],
];

/** Installs the Helm chart in a cluster of one node, and rolls, drains, upgrades and removes it as operators do. */
export const kubernetesProof: Proof = {
  name: 'kubernetes',
  summary: 'the Helm chart in a cluster of one node: posted letters, rolling restarts under load, drain, rollback',
  async run(context) {
    const held = new AsyncDisposableStack();
    try {
      return await runIn(held, context);
    } finally {
      await held.disposeAsync();
    }
  },
};

async function runIn(held: AsyncDisposableStack, context: ProofContext): Promise<string[]> {
  const { environment, report } = context;
  const { check } = context.checklist;
  const programs = await findPrograms(environment, report);
  const { folder, release } = await claimFolder(programs);
  held.defer(release);
  const archive = join(folder, 'images.tar');
  const images = await collectImages(archive, context);

  const cluster = createCluster(programs, folder, pauseImage);
  held.defer(() => cluster.stop());
  const installation = createInstallation(cluster);
  await check('a cluster of one node starts', () => cluster.start(archive));
  await check('the stores run as pods', () => installation.prepare());
  await check('the namespace enforces the level restricted', () => checkRestricted(installation));
  await check('helm installs the chart', async () => {
    await installation.install();
    return await checkPods(installation);
  });
  const sender = await openAccount({ admin: installation.admin, apiUrl: await installation.findApiUrl() });
  await topUp(installation, sender.organizationId);
  const customer = createCustomer(cluster, sender);
  await check('a letter is posted', () => customer.sendLetter());
  // What this machine does to the load without any restart.
  await check('the load alone loses nothing', () => customer.underLoad(() => sleep(loadAloneMs)));
  for (const part of parts) {
    await check(`a rolling restart of ${part} under load loses nothing`, () =>
      customer.underLoad(() => rollOut(installation, part)),
    );
    await check('a letter is posted afterwards', () => customer.sendLetter());
  }
  await check('a drain keeps one pod of each Deployment', () => drain(installation, customer));
  await check('an upgrade and a rollback under load lose nothing', () => changeVersion(installation, customer));
  await check('a letter is posted afterwards', () => customer.sendLetter());
  await check('wallets, ledger and letters agree', () => checkMoney(installation));
  await check('helm uninstalls the chart', () => uninstall(installation));
  await check('no process and no cgroup of the cluster is left', () => cluster.stop());
  return [
    `Kubernetes ${kubernetesVersion}, one node, in namespaces of its own; etcd and containerd as nodes have them`,
    ...images,
    `Load of a check: ${readsPerSecond} reads and ${writesPerSecond} letter per second, each on a new connection`,
    `Not proven: ${notProven.join(', ')}`,
  ];
}
