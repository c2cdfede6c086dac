import { AppError } from '../errors.ts';
import { createGroupCommit } from '../platform/group-commit.ts';
import { insertRows, isDuplicateKey, isMongoAway } from '../platform/mongo.ts';
import { inTransaction, type Transaction, transactionRetries, UnknownCommitError } from '../platform/transaction.ts';
import { createTurns } from '../platform/turns.ts';
import type { SeenUpload } from '../uploads/check-uploads.ts';
import { keepUploads } from '../uploads/keep-uploads.ts';
import { type Books, type Movement, moveOne, openBooks, walletIdOf } from '../wallet/move-money.ts';
import { walletBatchSize, walletCommitSeconds, walletDebits } from '../wallet/wallet-metrics.ts';
import { type EarlierJobs, findEarlierJobs } from './find-repeat.ts';
import { appendMailEvents } from './mail-event.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';
import type { CreatedMailJob, MailOrder } from './mail-order.ts';
import { vatOfDebit } from './vat-shares.ts';

export type MailCommit = { job: MailJobRecord; uploads: readonly SeenUpload[]; order: MailOrder };

/** What came of it; `eventId` is the new MAIL_QUEUED event, null for a repeat. */
export type CommittedMailJob = { created: CreatedMailJob; eventId: string | null };

/** What commits count, for the registry of a process. */
export const mailCommitMetrics = [walletDebits, walletBatchSize, walletCommitSeconds, transactionRetries];

/** How often a commit that a unique index refuses begins anew before its sends are tried one by one. */
const maxDuplicateRetries = 3;

/**
 * Sends of one commit. A process alone must not put all it has into one: it would have nothing to prepare while the
 * database works, and the database nothing to do while the next are prepared. Processes that take turns prepare in each
 * other's, and the fewer turns the better; about three rows a send stay below the thousand that a transaction should
 * write at most.
 */
const maxSends = { alone: 64, inTurn: 256 };

/** Processes that serve one wallet would abort each other's transactions again and again. */
const turns = createTurns('mail-commits');

const mailCommits = createGroupCommit<MailCommit, CommittedMailJob>({
  commit: commitBatch,
  beforeCommit: turns.take,
  // What a request can make long, and room for all else.
  bytesOf: ({ job }) => Buffer.byteLength(JSON.stringify([job.items, job.files])) + 16_000,
  keyOf: ({ job }) => walletIdOf(job),
  concernsAll: (error) => error instanceof UnknownCommitError || isMongoAway(error),
  maxItems: () => (turns.isContended() ? maxSends.inTurn : maxSends.alone),
  maxBytes: 8 * 1024 * 1024,
  maxWaiting: 2_000,
  maxWaitMs: 5_000,
  // Other processes are through within milliseconds; one that was killed holds its wallets until the database notices.
  patienceMs: 1_000,
});

/**
 * The one transaction of a send: job, debit, ledger entry and event, or none of them. It is shared with the other sends
 * that wait in this process; the outcome is that of some order of all of them, one after the other.
 * Throws INSUFFICIENT_FUNDS or IDEMPOTENCY_MISMATCH with nothing changed; a twin that was faster makes this a repeat.
 */
export async function commitMailJob(commit: MailCommit): Promise<CommittedMailJob> {
  try {
    const committed = await mailCommits.add(commit);
    walletDebits.inc({ result: committed.created.isNew ? 'debited' : 'repeat' });
    return committed;
  } catch (error) {
    walletDebits.inc({ result: error instanceof AppError ? error.code.toLowerCase() : 'failed' });
    throw error;
  }
}

/** Runs another transaction that writes a wallet, or a job, in its turn: beside a commit they would abort each other. */
export async function betweenCommits<T>(work: () => Promise<T>): Promise<T> {
  return await mailCommits.alone(() => work().finally(turns.end));
}

/** For a process that ends: refuses new sends, and waits for those it has taken. */
export async function drainMailCommits(): Promise<void> {
  await mailCommits.drain();
}

/** An error refuses one send; the others of its transaction are not touched. */
type Outcome = CommittedMailJob | AppError;

async function commitBatch(commits: readonly MailCommit[], endsAt: number): Promise<Outcome[]> {
  walletBatchSize.observe(commits.length);
  let attempts = 0;
  const writeInTurn = async (transaction: Transaction) => {
    attempts += 1;
    if (attempts > 1) turns.noteConflict();
    await turns.take();
    return await writeBatch(transaction, commits);
  };
  const stopTimer = walletCommitSeconds.startTimer();
  try {
    for (let retries = 0; ; retries += 1) {
      try {
        return await inTransaction(writeInTurn, { endsAt, isStored });
      } catch (error) {
        // Another process was faster with the same externalId; its job is found when this begins anew.
        if (!isDuplicateKey(error) || retries === maxDuplicateRetries) throw error;
      }
    }
  } finally {
    turns.end();
    stopTimer();
  }
}

async function writeBatch(transaction: Transaction, commits: readonly MailCommit[]): Promise<Outcome[]> {
  const orders = commits.map(({ order }) => order);
  const earlier = await findEarlierJobs(transaction, orders);
  const [only] = commits;
  if (only && commits.length === 1) return [await writeOne(transaction, only, earlier)];

  const books = await openBooks(
    transaction,
    orders.map(({ owner }) => owner),
  );
  const outcomes = commits.map((commit) => admit(commit, earlier, books));
  const admitted = commits.filter((_, index) => isNew(outcomes[index]));
  if (admitted.length === 0) return outcomes;

  const at = new Date(Math.max(...admitted.map(({ job }) => job.createdAt.getTime())));
  // First, since the wallets are what sends of other processes contend for: a conflict should show early.
  await books.write(at);
  const eventIds = await store(transaction, admitted, at);
  return outcomes.map((outcome) => (isNew(outcome) ? { ...outcome, eventId: eventIds.shift() ?? null } : outcome));
}

/** A send that shares its transaction with no other: its wallet need not be read before it is debited. */
async function writeOne(transaction: Transaction, commit: MailCommit, earlier: EarlierJobs): Promise<Outcome> {
  const { job, order } = commit;
  const repeat = findRepeatOf(order, earlier);
  if (repeat) return repeat;
  if (!(await moveOne(transaction, debitOf(job), job.createdAt))) return new AppError('INSUFFICIENT_FUNDS');
  const [eventId = null] = await store(transaction, [commit], job.createdAt);
  return { created: createdFrom(job), eventId };
}

/** Stores what has been paid: jobs, their events and the need for their files. Returns the events' ids in the jobs' order. */
async function store(transaction: Transaction, commits: readonly MailCommit[], at: Date): Promise<string[]> {
  const jobs = commits.map(({ job }) => job);
  await insertRows(MailJob, jobs, transaction);
  const eventIds = await appendMailEvents(transaction, jobs, at);
  const uploads = commits.flatMap((commit) => commit.uploads);
  await keepUploads(transaction, uploads, at);
  return eventIds;
}

/** Judges one send after those before it, in the order in which they came. */
function admit({ order, job }: MailCommit, earlier: EarlierJobs, books: Books): Outcome {
  // A repeat is told from a new letter before the balance is looked at.
  const repeat = findRepeatOf(order, earlier);
  if (repeat) return repeat;
  if (!books.enter(debitOf(job))) return new AppError('INSUFFICIENT_FUNDS');
  earlier.add(order, job);
  return { created: createdFrom(job), eventId: null };
}

function findRepeatOf(order: MailOrder, earlier: EarlierJobs): Outcome | null {
  const repeat = earlier.find(order);
  return repeat === null || repeat instanceof AppError ? repeat : { created: repeat, eventId: null };
}

function debitOf(job: MailJobRecord): Movement {
  const { organizationId, mode, _id: mailJobId, amounts } = job;
  return {
    owner: { organizationId, mode },
    kind: 'debit',
    amountCents: -amounts.totalCents,
    key: `debit:${mailJobId}`,
    mailJobId,
    vat: vatOfDebit(job),
  };
}

const createdFrom = (job: MailJobRecord): CreatedMailJob => ({ job, isNew: true, payloadMatches: true });

function isNew(outcome: Outcome | undefined): outcome is CommittedMailJob {
  return outcome !== undefined && !(outcome instanceof AppError) && outcome.created.isNew;
}

/** Whether a commit that was not answered has happened: one of its jobs is there, and so all are. */
async function isStored(transaction: Transaction, outcomes: readonly Outcome[]): Promise<boolean> {
  const written = outcomes.find(isNew);
  if (!written) return false;
  return (await MailJob.exists({ _id: written.created.job._id }).session(transaction)) !== null;
}
