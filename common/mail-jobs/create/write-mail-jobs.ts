import { AppError } from '#common/errors.ts';
import { insertRows } from '#common/platform/mongo/mongo.ts';
import { isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { VerifiedUpload } from '#common/uploads/check-uploads.ts';
import { keepUploads } from '#common/uploads/keep-uploads.ts';
import { type LedgerBatch, type Movement, openLedgerBatch } from '#common/wallet/ledger/move-money.ts';
import { appendMailEvents } from '../events/mail-event.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { CreatedMailJob, Hashed, SendRequest } from '../model/send-request.ts';
import { vatOfDebit } from '../rules/vat-shares.ts';
import { type EarlierJobs, findEarlierJobs } from './find-repeat.ts';

export type MailCommit = {
  job: MailJobRecord;
  uploads: readonly VerifiedUpload[];
  sendRequest: SendRequest & Hashed;
  guard?: CommitGuard | undefined;
};

/** Shared by the sends of one piece of work, such as a bulk. */
export type CommitGuard = {
  /**
   * Called in each transaction with the new jobs that have this guard, to record that they exist. When it throws, none of
   * them is created: the work was stopped.
   */
  write(transaction: Transaction, jobs: readonly MailJobRecord[]): Promise<void>;
};

/** The result of a commit. `eventId` is that of the new MAIL_QUEUED event; null for a repeat. */
export type CommittedMailJob = { created: CreatedMailJob; eventId: string | null };

/** An error refuses one send and does not affect the others of its transaction. */
export type WriteOutcome = CommittedMailJob | AppError;

/**
 * Writes jobs, debits, ledger entries and events of these sends, in their order, and returns an outcome for each. An
 * outcome is a new job, a repeat, or the refusal of that send.
 */
export async function writeMailJobs(transaction: Transaction, commits: readonly MailCommit[]): Promise<WriteOutcome[]> {
  const sendRequests = commits.map(({ sendRequest }) => sendRequest);
  const earlier = await findEarlierJobs(transaction, sendRequests);
  const ledger = await openLedgerBatch(
    transaction,
    sendRequests.map(({ owner }) => owner),
  );
  const outcomes = commits.map((commit) => admit(commit, earlier, ledger));
  const admitted = commits.filter((_, index) => isNew(outcomes[index]));
  if (admitted.length === 0) return outcomes;

  const at = new Date(Math.max(...admitted.map(({ job }) => job.createdAt.getTime())));
  // Wallets first: other processes contend for them, and a conflict should show before the rest is written.
  await ledger.write(at);
  const eventIds = await store(transaction, admitted, at);
  return outcomes.map((outcome) => (isNew(outcome) ? { ...outcome, eventId: eventIds.shift() ?? null } : outcome));
}

/**
 * Stores paid jobs and their events, and keeps their uploads from being cleaned up. Returns the event ids in the order
 * of the jobs.
 */
async function store(transaction: Transaction, commits: readonly MailCommit[], at: Date): Promise<string[]> {
  const jobs = commits.map(({ job }) => job);
  await insertRows(MailJob, jobs, transaction);
  const eventIds = await appendMailEvents(transaction, jobs, at);
  const uploads = commits.flatMap((commit) => commit.uploads);
  await keepUploads(transaction, uploads, at);
  for (const [guard, guarded] of Map.groupBy(commits, (commit) => commit.guard)) {
    await guard?.write(
      transaction,
      guarded.map(({ job }) => job),
    );
  }
  return eventIds;
}

/** Admits one send, given the earlier ones. Must be called in order of arrival. */
function admit(commit: MailCommit, earlier: EarlierJobs, ledger: LedgerBatch): WriteOutcome {
  const { sendRequest, job } = commit;
  // Before the balance check: a repeat succeeds even when the balance is too low.
  const repeat = findRepeatOf(commit, earlier);
  if (repeat) return repeat;
  if (!ledger.post(debitOf(job))) return new AppError('INSUFFICIENT_FUNDS');
  earlier.add(sendRequest, job);
  return { created: createdFrom(job), eventId: null };
}

function findRepeatOf({ sendRequest, job }: MailCommit, earlier: EarlierJobs): WriteOutcome | null {
  const repeat = earlier.find(sendRequest, job.files);
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

function isNew(outcome: WriteOutcome | undefined): outcome is CommittedMailJob {
  return outcome !== undefined && !(outcome instanceof AppError) && outcome.created.isNew;
}

/** Returns whether a commit with an unknown result is stored. One of its jobs proves it for all. */
export async function areStored(transaction: Transaction, outcomes: readonly WriteOutcome[]): Promise<boolean> {
  const written = outcomes.find(isNew);
  if (!written) return false;
  const { job } = written.created;
  return await isInserted(transaction, MailJob, job._id, job);
}
