import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sender } from '#scripts/prove/send-letter.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Counts, LoadResult } from './load-api.ts';

/** A customer in the network of the cluster, which this process is not in. */
export type Customer = {
  /** Sends a letter and waits until it is posted. Returns its id. */
  sendLetter(): Promise<string>;
  /**
   * Runs `work` while the customer reads and sends letters. Throws when a connection was refused or reset, or when a letter
   * does not exist exactly once. Returns the counts: a busy machine may also answer 503 or too late.
   */
  underLoad(work: () => Promise<unknown>): Promise<string>;
};

const program = join(import.meta.dirname, 'customer.program.ts');
const letterWithinMs = 150_000;
/** Before and after `work`. */
const quietMs = 3_000;

export function createCustomer({ run, open }: Cluster, { baseUrl, key }: Sender): Customer {
  const words = (what: 'letter' | 'load') => [process.execPath, program, what, baseUrl];
  return {
    sendLetter: () => run(['env', `BLUEJAY_API_KEY=${key}`, ...words('letter')], { withinMs: letterWithinMs }),
    async underLoad(work) {
      const load = open(words('load'), { BLUEJAY_API_KEY: key });
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
