import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sender } from '#scripts/prove/send-letter.ts';
import type { Cluster } from '../connect-cluster.ts';
import { applyManifests, type Images, storesNamespace } from '../installation.ts';
import type { Counts, LoadResult } from './load-api.ts';

/** A customer in a pod of the cluster, which reaches the API by its Service. */
export type Customer = {
  /** Sends a letter and waits until it is posted. Returns its id. */
  sendLetter(): Promise<string>;
  /**
   * Runs `work` while the customer reads and sends letters. Throws when a connection was refused or reset, or when a letter
   * does not exist exactly once. Returns the counts: a busy machine may also answer 503 or too late.
   */
  underLoad(work: () => Promise<unknown>): Promise<string>;
};

/** The files of the customer that the image of the product lacks, by their keys in customer.yaml. */
const files = ['customer.program.ts', 'load-api.ts', '../../send-letter.ts'];
/** Before and after `work`. */
const quietMs = 3_000;

/** Starts the pod of the customer beside the stores. */
export async function startCustomer(cluster: Cluster, images: Images, { baseUrl, key }: Sender): Promise<Customer> {
  const inStores = ['--namespace', storesNamespace];
  const fromFiles = files.map((file) => `--from-file=${join(import.meta.dirname, file)}`);
  await cluster.kubectl(...inStores, 'create', 'configmap', 'customer', ...fromFiles);
  await applyManifests(cluster, join(import.meta.dirname, 'customer.yaml'), images);
  await cluster.kubectl(...inStores, 'wait', '--for=condition=Ready', 'pod/customer', '--timeout=5m');
  const program = 'scripts/prove/kubernetes/customer/customer.program.ts';
  const words = (what: 'letter' | 'load') => [
    ...[...inStores, 'exec', '--stdin', 'customer', '--'],
    ...['env', `BLUEJAY_API_KEY=${key}`, 'node', program, what, baseUrl],
  ];
  return {
    sendLetter: () => cluster.kubectl(...words('letter')),
    async underLoad(work) {
      const load = cluster.open(...words('load'));
      let output = '';
      try {
        await sleep(quietMs);
        await work();
        await sleep(quietMs);
      } finally {
        output = await load.stop();
      }
      return judge(JSON.parse(output) as LoadResult);
    },
  };
}

function judge(result: LoadResult): string {
  const { reads, writes, letters, missing, doubled } = result;
  const isGood = [reads, writes].every(({ ok, refused, reset }) => ok > 0 && refused + reset === 0);
  if (!isGood || missing.length + doubled.length > 0) throw new Error(`Requests were lost: ${JSON.stringify(result)}`);
  return `reads: ${describe(reads)}; sends: ${describe(writes)}; ${letters} letters, each stored once`;
}

function describe({ ok, refused, timedOut, reset, other }: Counts): string {
  const others = Object.entries(other).map(([name, count]) => `, ${count} answered ${name}`);
  return `${ok} ok, ${refused} refused, ${timedOut} timed out, ${reset} reset${others.join('')}`;
}
