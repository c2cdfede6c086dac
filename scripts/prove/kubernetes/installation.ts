import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { CommandError } from '../run-command.ts';
import type { Cluster } from './connect-cluster.ts';

const here = import.meta.dirname;
const chart = join(here, '../../deploy/helm/bluejay');
const values = join(here, 'values.yaml');
/** Also the name of the release. No other installation of the cluster has it. */
export const namespace = 'bluejay-proof';
export const storesNamespace = 'bluejay-proof-stores';
const primaryWithinMs = 10 * 60_000;
const initiate =
  "try { rs.initiate({ _id: 'bluejay', members: [{ _id: 0, host: '127.0.0.1:27017' }] }) } catch {} " +
  'if (!db.hello().isWritablePrimary) quit(1)';

/** The parts of the product, each a Deployment of the chart. */
export const parts = ['api', 'workers', 'render'] as const;
export type Part = (typeof parts)[number];

/** The images, as the cluster names them. */
export type Images = Record<'product' | 'mongodb' | 'redis' | 'store', string>;

/** An installation by the Helm chart, as an operator has it. */
export type Installation = {
  /**
   * Runs the stores as pods, and creates the Secret of the manual. `held` removes both namespaces. Fails, and removes
   * nothing, when one exists: that is of another run.
   */
  prepare(held: AsyncDisposableStack): Promise<void>;
  /** Runs kubectl in the namespace of the installation. */
  kubectl(...words: string[]): Promise<string>;
  /** Runs helm in it. */
  helm(...words: string[]): Promise<string>;
  /** Installs or upgrades it by the command of the manual. */
  install(...words: string[]): Promise<string>;
  /** Runs an operator command and returns its result. */
  admin<Result>(...words: string[]): Promise<Result>;
  /** Returns the address of the API in the cluster. */
  findApiUrl(): Promise<string>;
};

export function createInstallation(cluster: Cluster, images: Images): Installation {
  const kubectl = (...words: string[]) => cluster.kubectl('--namespace', namespace, ...words);
  const helm = (...words: string[]) => cluster.helm('--namespace', namespace, ...words);
  const findStore = (name: string, port: number) => findAddress(cluster, [storesNamespace, name], port);
  return {
    async prepare(held) {
      for (const name of [storesNamespace, namespace]) {
        await cluster.kubectl('create', 'namespace', name);
        held.defer(async () => void (await cluster.kubectl('delete', 'namespace', name, '--timeout=5m')));
      }
      await kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
      const password = randomBytes(16).toString('hex');
      await startStores(cluster, images, password);
      const mongodb = await findStore('mongodb', 27017);
      const secret = [
        `MONGODB_URI=mongodb://${mongodb}/bluejay?replicaSet=bluejay&directConnection=true`,
        `REDIS_URL=redis://${await findStore('redis', 6379)}`,
        'S3_ACCESS_KEY_ID=bluejay',
        `S3_SECRET_ACCESS_KEY=${password}`,
        `ENCRYPTION_KEYS=k1:${randomBytes(32).toString('base64')}`,
      ];
      await kubectl('create', 'secret', 'generic', 'bluejay', ...secret.map(asLiteral));
    },
    kubectl,
    helm,
    async install(...words) {
      const [name = '', digest = ''] = images.product.split('@');
      const [, repository = name, tag = ''] = /^(.+?)(?::([^/:]+))?$/.exec(name) ?? [];
      const image = { 'image.repository': repository, 'image.tag': tag, 'image.digest': digest };
      const own = { ...image, 'config.S3_ENDPOINT': `http://${await findStore('store', 7070)}` };
      const sets = Object.entries(own).flatMap(([path, value]) => ['--set-string', `${path}=${value}`]);
      const flags = ['--values', values, ...sets, '--wait', '--timeout', '8m'];
      return await helm('upgrade', '--install', namespace, chart, ...flags, ...words);
    },
    async admin<Result>(...words: string[]) {
      const command = ['node', 'scripts/admin.ts', '--json', ...words];
      return JSON.parse(await kubectl('exec', `deployment/${namespace}-api`, '--', ...command)) as Result;
    },
    findApiUrl: async () => `http://${await findAddress(cluster, [namespace, namespace], 3000)}`,
  };
}

/** Creates what a file describes in the namespace of the stores. It names images as `${product}`. */
export async function applyManifests({ kubectl }: Cluster, file: string, images: Images): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-proof-'));
  try {
    const text = await readFile(file, 'utf8');
    const filled = join(folder, 'manifests.yaml');
    await writeFile(
      filled,
      text.replaceAll(/\$\{(\w+)\}/g, (_, name: keyof Images) => images[name]),
    );
    await kubectl('--namespace', storesNamespace, 'apply', '--filename', filled);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function startStores(cluster: Cluster, images: Images, password: string): Promise<void> {
  const kubectl = (...words: string[]) => cluster.kubectl('--namespace', storesNamespace, ...words);
  const literals = ['ROOT_ACCESS_KEY_ID=bluejay', `ROOT_SECRET_ACCESS_KEY=${password}`];
  await kubectl('create', 'secret', 'generic', 'store', ...literals.map(asLiteral));
  await applyManifests(cluster, join(here, 'stores.yaml'), images);
  await kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=5m');
  await initiateMongodb(kubectl);
}

/** Returns the address of a Service, without DNS, which the cluster of a trial may lack. */
async function findAddress({ kubectl }: Cluster, [of = '', name = '']: string[], port: number): Promise<string> {
  const ip = await kubectl('--namespace', of, 'get', 'service', name, '--output=jsonpath={.spec.clusterIP}');
  return `${ip}:${port}`;
}

async function initiateMongodb(kubectl: Cluster['kubectl']): Promise<void> {
  const mongosh = ['mongosh', '--quiet', '--norc', '--eval', initiate];
  let last = '';
  const isPrimary = () =>
    kubectl('exec', 'deployment/mongodb', '--', ...mongosh).then(
      () => true,
      (error) => {
        if (!(error instanceof CommandError)) throw error;
        last = error.message;
        return false;
      },
    );
  const isReady = await pollUntil(isPrimary, { everyMs: 500, withinMs: primaryWithinMs });
  if (!isReady) throw new Error(`MongoDB has no primary: ${last}`);
}

function asLiteral(assignment: string): string {
  return `--from-literal=${assignment}`;
}
