import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pollUntil } from '#scripts/program/poll-until.ts';
import { CommandError } from '../run-command.ts';
import type { Cluster } from './cluster/cluster.ts';

const here = import.meta.dirname;
const chart = join(here, '../../deploy/helm/bluejay');
const values = join(here, 'values.yaml');
const namespace = 'bluejay';
const primaryWithinMs = 60_000;
const helmWithinMs = 600_000;
const initiate =
  "try { rs.initiate({ _id: 'bluejay', members: [{ _id: 0, host: '127.0.0.1:27017' }] }) } catch {} " +
  'if (!db.hello().isWritablePrimary) quit(1)';

/** The parts of the product, each a Deployment of the chart. */
export const parts = ['api', 'workers', 'render'] as const;
export type Part = (typeof parts)[number];

/** An installation by the Helm chart, as an operator has it. */
export type Installation = {
  /** Runs the stores as pods, and creates the namespace and the Secret of the manual. */
  prepare(): Promise<void>;
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

export function createInstallation(cluster: Cluster): Installation {
  const kubectl = (...words: string[]) => cluster.kubectl('--namespace', namespace, ...words);
  const helm = (...words: string[]) =>
    cluster.run(['helm', ...words, '--namespace', namespace], { withinMs: helmWithinMs });
  const wait = ['--wait', '--timeout', '8m'];
  return {
    async prepare() {
      const password = randomBytes(16).toString('hex');
      await startStores(cluster, password);
      await cluster.kubectl('create', 'namespace', namespace);
      await cluster.kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
      const secret = [
        'MONGODB_URI=mongodb://10.96.0.11:27017/bluejay?replicaSet=bluejay&directConnection=true',
        'REDIS_URL=redis://10.96.0.12:6379',
        'S3_ACCESS_KEY_ID=bluejay',
        `S3_SECRET_ACCESS_KEY=${password}`,
        `ENCRYPTION_KEYS=k1:${randomBytes(32).toString('base64')}`,
      ];
      await kubectl('create', 'secret', 'generic', 'bluejay', ...secret.map(asLiteral));
    },
    kubectl,
    helm,
    install: (...words) => helm('upgrade', '--install', 'bluejay', chart, '--values', values, ...wait, ...words),
    async admin<Result>(...words: string[]) {
      const command = ['node', 'scripts/admin.ts', '--json', ...words];
      return JSON.parse(await kubectl('exec', 'deployment/bluejay-api', '--', ...command)) as Result;
    },
    async findApiUrl() {
      return `http://${await kubectl('get', 'service', 'bluejay', '--output=jsonpath={.spec.clusterIP}')}:3000`;
    },
  };
}

async function startStores(cluster: Cluster, password: string): Promise<void> {
  await cluster.kubectl('create', 'namespace', 'stores');
  const kubectl = (...words: string[]) => cluster.kubectl('--namespace', 'stores', ...words);
  const literals = ['ROOT_ACCESS_KEY_ID=bluejay', `ROOT_SECRET_ACCESS_KEY=${password}`];
  await kubectl('create', 'secret', 'generic', 'store', ...literals.map(asLiteral));
  await kubectl('apply', '--filename', join(here, 'stores.yaml'));
  await kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=5m');
  await initiateMongodb(cluster);
}

async function initiateMongodb({ kubectl }: Cluster): Promise<void> {
  const mongosh = ['mongosh', '--quiet', '--norc', '--eval', initiate];
  let last = '';
  const isPrimary = () =>
    kubectl('-n', 'stores', 'exec', 'deployment/mongodb', '--', ...mongosh).then(
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
