import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { giveUp } from '../give-up.ts';
import { openAccount } from '../open-account.ts';
import type { ClusterOptions, Proof, ProofContext } from '../proof.ts';
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
import { type Cluster, connectCluster } from './connect-cluster.ts';
import { startCustomer } from './customer/customer.ts';
import { readsPerSecond, writesPerSecond } from './customer/load-api.ts';
import { createInstallation, type Images, type Installation, parts } from './installation.ts';

const loadAloneMs = 30_000;

const notProven =
  'enforcement of network policies, cluster DNS, ingress, autoscaling by CPU and by KEDA, monitoring objects';

/** Installs the Helm chart in a cluster, and rolls, drains, upgrades and removes it as operators do. */
export const kubernetesProof: Proof = {
  name: 'kubernetes',
  summary: 'the Helm chart in a cluster that exists: posted letters, rolling restarts under load, drain, rollback',
  async run(context) {
    const held = new AsyncDisposableStack();
    try {
      const facts = await runIn(held, context);
      await held.disposeAsync();
      return facts;
    } catch (error) {
      return await giveUp(held, error, context.report);
    }
  },
};

async function runIn(held: AsyncDisposableStack, context: ProofContext): Promise<string[]> {
  const { check } = context.checklist;
  const cluster = await connectCluster(context.cluster.context, context);
  const images = await nameImages(context.cluster);
  const installation = createInstallation(cluster, images);
  await check('the stores run as pods', () => installation.prepare(held));
  await check('the namespace enforces the level restricted', () => checkRestricted(installation));
  await check('helm installs the chart', async () => {
    await installation.install();
    return await checkPods(installation);
  });
  const nodes = (await cluster.kubectl('get', 'nodes', '--output=name')).split('\n').length;
  const facts = await describeCluster(cluster, installation);
  const sender = await openAccount({ admin: installation.admin, apiUrl: await installation.findApiUrl() });
  await topUp(installation, sender.organizationId);
  const customer = await startCustomer(cluster, images, sender);
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
  return [
    ...facts,
    `Load of a check: ${readsPerSecond} reads and ${writesPerSecond} letter per second, each on a new connection`,
    `Nodes: ${nodes}`,
    `Not proven: ${notProven}${nodes === 1 ? ', several nodes' : ''}`,
  ];
}

/** Returns what the record says about the cluster and the images in it. */
async function describeCluster({ kubectl }: Cluster, installation: Installation): Promise<string[]> {
  const { serverVersion } = JSON.parse(await kubectl('version', '--output=json')) as {
    serverVersion: { gitVersion: string };
  };
  const image =
    '--output=jsonpath={.items[0].spec.containers[0].image} ({.items[0].status.containerStatuses[0].imageID})';
  return [
    `Cluster: Kubernetes ${serverVersion.gitVersion}`,
    `Image: ${await installation.kubectl('get', 'pods', '--selector=app.kubernetes.io/component=api', image)}`,
  ];
}

/** The stores are those of docker-compose.yml unless the operator names others. */
async function nameImages({ image, storeImages }: ClusterOptions): Promise<Images> {
  if (image === undefined)
    throw new OperatorError('Name the image of the product: --image NAME, which the cluster has.');
  const text = await readFile(join(import.meta.dirname, '../../../docker-compose.yml'), 'utf8');
  const readDefault = (variable: string) => new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(text)?.[1];
  const named = storeImages ?? ['MONGODB_IMAGE', 'REDIS_IMAGE', 'STORE_IMAGE'].map(readDefault);
  const [mongodb, redis, store] = named;
  if (!mongodb || !redis || !store) throw new OperatorError('Name three images: --store-images MONGODB REDIS STORE.');
  return { product: image, mongodb, redis, store };
}
