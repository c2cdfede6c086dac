import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { inTransaction, type Transaction, UnknownCommitError } from '../platform/transaction.ts';
import { keepUploads } from '../uploads/keep-uploads.ts';
import type { UploadRecord } from '../uploads/upload.model.ts';
import { moveMoney, walletIdOf } from '../wallet/move-money.ts';
import { walletTurns } from '../wallet/wallet-turns.ts';
import { findRepeat } from './find-repeat.ts';
import { appendMailEvent } from './mail-event.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';
import type { CreatedMailJob, MailOrder } from './mail-order.ts';
import { vatOfDebit } from './vat-shares.ts';

export type MailCommit = { job: MailJobRecord; uploads: readonly UploadRecord[]; order: MailOrder };

/** What came of it; `eventId` is the new MAIL_QUEUED event, null for a repeat. */
export type CommittedMailJob = { created: CreatedMailJob; eventId: string | null };

/**
 * The one transaction of a send: job, debit, ledger entry and event, or none of them.
 * Throws INSUFFICIENT_FUNDS with nothing changed; a twin that was faster makes this a repeat.
 */
export async function commitMailJob(commit: MailCommit, at: Date): Promise<CommittedMailJob> {
  const { job, order } = commit;
  try {
    const eventId = await walletTurns.take(walletIdOf(job), () =>
      inTransaction((transaction) => writeMailJob(transaction, commit, at)),
    );
    return { created: { job, isNew: true, payloadMatches: true }, eventId };
  } catch (error) {
    if (isDuplicateKey(error)) {
      // Two sends raced past the look-up; the unique index chose one of them.
      return { created: await readWinner(order), eventId: null };
    }
    if (error instanceof UnknownCommitError) return await resolveUnknown(job, error);
    throw error;
  }
}

/** How long the twin that was faster may take to be safe on a majority of the database's members. */
const winnerRounds = 20;
const winnerPauseMs = 50;

/** The earlier job of a request that the unique index has refused. Throws SERVICE_UNAVAILABLE while nobody can tell. */
async function readWinner(order: MailOrder): Promise<CreatedMailJob> {
  for (let round = 0; round < winnerRounds; round += 1) {
    const created = await findRepeat(order);
    if (created) return created;
    await sleep(winnerPauseMs);
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
}

async function writeMailJob(transaction: Transaction, { job, uploads }: MailCommit, at: Date): Promise<string> {
  // The job first: a repeat must be told from a new letter before the balance is judged.
  await MailJob.insertMany([job], { session: transaction });
  await keepUploads(transaction, uploads, at);
  const eventId = await appendMailEvent(transaction, job, at);
  const { organizationId, mode, _id: mailJobId } = job;
  const amountCents = -job.amounts.totalCents;
  const debit = {
    owner: { organizationId, mode },
    kind: 'debit',
    amountCents,
    key: `debit:${mailJobId}`,
    mailJobId,
    vat: vatOfDebit(job),
  } as const;
  // Last: the wallet is the one document that all sends of an organization contend for.
  await moveMoney(transaction, [debit], at);

  return eventId;
}

/** The commit was not answered: what is stored is the truth, so it is asked before anyone else is. */
async function resolveUnknown(job: MailJobRecord, cause: Error): Promise<CommittedMailJob> {
  const stored = await MailJob.findById(job._id).read('primary').readConcern('majority').lean<MailJobRecord>();
  if (!stored) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1, cause });
  return { created: { job: stored, isNew: true, payloadMatches: true }, eventId: null };
}
