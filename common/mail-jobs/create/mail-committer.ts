import { Counter, Histogram, type Registry } from 'prom-client';
import { AppError } from '#common/errors.ts';
import { createGroupCommit } from '#common/platform/concurrency/group-commit.ts';
import { createAdvisoryLock } from '#common/platform/mongo/advisory-lock.ts';
import { isMongoUnavailable, mongoWaitMs } from '#common/platform/mongo/mongo.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import { inTransaction, type Transaction, UnknownCommitError } from '#common/platform/mongo/transaction.ts';
import { inSpan } from '#common/platform/spans/tracing.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import {
  areStored,
  type CommittedMailJob,
  type MailCommit,
  type WriteOutcome,
  writeMailJobs,
} from './write-mail-jobs.ts';

/** Commits the sends of one process, many per transaction. */
export type MailCommitter = {
  /**
   * Commits a send: job, debit, ledger entry and event, or none of them. Concurrent sends of this process share the
   * transaction; the outcome equals some serial order of them. When a concurrent request with the same key commits
   * first, the result is a repeat. Throws INSUFFICIENT_FUNDS or IDEMPOTENCY_MISMATCH, with nothing changed.
   */
  commit(commit: MailCommit): Promise<CommittedMailJob>;
  /**
   * Runs a task while no commit runs. For other transactions that write wallets: a concurrent commit would conflict.
   */
  runExclusive<T>(task: () => Promise<T>): Promise<T>;
  /** For shutdown: refuses new sends and waits for the accepted ones. */
  drain(): Promise<void>;
};

/** How often a batch is tried while another process commits the same keys, before its sends are committed one by one. */
const maxAttempts = 4;

/**
 * Most sends per transaction. Without contention, a process that put all waiting sends into one transaction would have
 * none to prepare while the database works, and the database would idle while the next are prepared. With contention,
 * processes prepare sends while others hold the lock, so fewer and larger transactions are faster. A send writes about
 * three rows: 256 sends stay below the 1,000 rows that a transaction should write at most.
 */
const maxSends = { uncontended: 64, contended: 256 };

/**
 * Creates the committer of a process, and its metrics in the registry of the process.
 *
 * Sends of any organizations share a transaction, because a group for each organization is eight times slower (1,052
 * against 8,130 sends/s over 200 wallets).
 */
export function createMailCommitter(registry: Registry): MailCommitter {
  const metrics = createMetrics(registry);
  /** Without the lock, processes that debit the same wallet would keep aborting each other's transactions. */
  const lock = createAdvisoryLock('mail-commits');

  async function commitBatch(commits: readonly MailCommit[], endsAt: number): Promise<WriteOutcome[]> {
    metrics.batchSize.observe(commits.length);
    let attempts = 0;
    const writeLocked = async (transaction: Transaction) => {
      attempts += 1;
      if (attempts > 1) lock.noteConflict();
      await lock.acquire();
      return await writeMailJobs(transaction, commits);
    };
    const stopTimer = metrics.commitSeconds.startTimer();
    try {
      // Another process may commit the same externalId first. The retry finds its job.
      return await retryOnDuplicateKey(() => inTransaction(writeLocked, { endsAt, isStored: areStored }), maxAttempts);
    } finally {
      lock.release();
      stopTimer();
    }
  }

  const group = createGroupCommit<MailCommit, CommittedMailJob>({
    commit: commitBatch,
    beforeCommit: lock.acquire,
    // The fields of variable length, plus 16 kB for all others.
    bytesOf: ({ job }) => Buffer.byteLength(JSON.stringify([job.items, job.files])) + 16_000,
    keyOf: ({ job }) => walletIdOf(job),
    concernsAll: (error) => error instanceof UnknownCommitError || isMongoUnavailable(error),
    maxItems: () => (lock.isContended() ? maxSends.contended : maxSends.uncontended),
    maxBytes: 8 * 1024 * 1024,
    maxWaiting: 2_000,
    maxWaitMs: mongoWaitMs(),
    // Other processes commit within milliseconds. A killed process blocks its wallets until the database aborts its
    // transaction.
    stallTimeoutMs: 1_000,
  });

  return {
    async commit(commit) {
      try {
        const committed = await inTraceOf(commit, group.add);
        metrics.debits.inc({ result: committed.created.isNew ? 'debited' : 'repeat' });
        return committed;
      } catch (error) {
        metrics.debits.inc({ result: error instanceof AppError ? error.code.toLowerCase() : 'failed' });
        throw error;
      }
    },
    runExclusive: (task) => group.runExclusive(() => task().finally(lock.release)),
    drain: group.drain,
  };
}

/**
 * Commits a send in a span whose trace its job continues from then on. A job of a request belongs to the trace of the
 * request. Any other job, as one of a bulk, starts a trace, with a link to the work that creates it: a trace of ten
 * thousand letters could not be read.
 */
async function inTraceOf(
  commit: MailCommit,
  add: (traced: MailCommit) => Promise<CommittedMailJob>,
): Promise<CommittedMailJob> {
  const { job, sendRequest } = commit;
  const attributes = { 'bluejay.mail_job_id': job._id };
  const parent = sendRequest.requestId === undefined ? { parent: 'none' } : {};
  return await inSpan('create letter', { kind: 'internal', attributes, ...parent }, ({ traceparent }) =>
    add(traceparent === undefined ? commit : { ...commit, job: { ...job, traceparent } }),
  );
}

function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    debits: new Counter({
      name: 'wallet_debits_total',
      help: 'Sends by result: debited, repeat, or the error code in lower case.',
      labelNames: ['result'],
      registers,
    }),
    batchSize: new Histogram({
      name: 'wallet_batch_size',
      help: 'Sends per transaction.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    /** From the start of a transaction to its commit, including retries. */
    commitSeconds: new Histogram({
      name: 'wallet_commit_seconds',
      help: 'Duration of the transactions of sends.',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
      registers,
    }),
  };
}
