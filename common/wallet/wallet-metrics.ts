import { Counter, Histogram } from 'prom-client';

/** For a process's registry, like those below: what became of each send that asked for money. */
export const walletDebits = new Counter({
  name: 'wallet_debits_total',
  help: 'Sends by what became of them: debited, repeat, or the code of the error in small letters.',
  labelNames: ['result'],
  registers: [],
});

/** How many sends share a transaction. */
export const walletBatchSize = new Histogram({
  name: 'wallet_batch_size',
  help: 'Sends that share one transaction.',
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  registers: [],
});

/** From the beginning of a transaction to its commit, with all that had to be tried again. */
export const walletCommitSeconds = new Histogram({
  name: 'wallet_commit_seconds',
  help: 'Duration of the transactions of sends.',
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  registers: [],
});
