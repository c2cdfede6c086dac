import { MailJob } from '../mail-jobs/model/mail-job.model.ts';
import { inSnapshot } from '../platform/mongo/snapshot.ts';
import { Batch } from '../production/batches/batch.model.ts';
import { type CheckedEntry, checkLedgers, type Violation } from '../wallet/ledger/check-ledgers.ts';
import { type MailMovement, readMovements } from '../wallet/ledger/read-ledger.ts';
import { checkBatches } from './check-batches.ts';
import { checkMailJob, checkWayToPress, type PaidJob } from './check-mail-job.ts';

export const reconcileChore = 'reconcile';

export type Reconciliation = { wallets: number; entries: number; mailJobs: number; violationCount: number };

export type ReconcileOptions = {
  /** Called for each violation when it is found. */
  report(violation: Violation): void;
  /** Aborts the run with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** Mail jobs per snapshot. */
const jobsAtOnce = 500;

/**
 * Checks all wallets, ledger entries, mail jobs and batches against each other and corrects nothing. Memory use is bounded.
 * Letters may be sent and refunded during the run.
 */
export async function reconcile({ report, signal }: ReconcileOptions): Promise<Reconciliation> {
  let violationCount = 0;
  const count = (violation: Violation) => {
    violationCount += 1;
    report(violation);
  };
  const ledgers = await checkLedgers({
    report: count,
    onEntries: (entries) => reportMissingJobs(entries, count),
    signal,
  });
  let mailJobs = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal?.throwIfAborted();
    const page = await readPaidJobs(after);
    for (const { job, movements, batchIds } of page) {
      for (const violation of [...checkMailJob(job, movements), ...checkWayToPress(job, batchIds)]) count(violation);
    }
    mailJobs += page.length;
    after = page.at(-1)?.job._id;
  }
  await checkBatches(count, signal);
  return { ...ledgers, mailJobs, violationCount };
}

/** Reports entries of mail jobs that do not exist. A job is committed together with its debit and never deleted. */
async function reportMissingJobs(
  entries: readonly CheckedEntry[],
  report: (violation: Violation) => void,
): Promise<void> {
  const ids = new Set(entries.flatMap(({ mailJobId }) => mailJobId ?? []));
  if (ids.size === 0) return;
  const found = await MailJob.find({ _id: { $in: [...ids] } })
    .select({ _id: 1 })
    .readConcern('majority')
    .lean<{ _id: string }[]>();
  const existing = new Set(found.map(({ _id }) => _id));
  for (const id of ids) {
    if (existing.has(id)) continue;
    report({ subject: 'mail job', id, rule: 'the mail job of a debit or refund exists', expected: 1, found: 0 });
  }
}

type CheckedJob = { job: PaidJob; movements: readonly MailMovement[]; batchIds: ReadonlySet<string> };

/**
 * Returns a page of mail jobs with their ledger entries, and with their batches that exist, from one snapshot: what
 * happens in between is not reported.
 */
async function readPaidJobs(after: string): Promise<CheckedJob[]> {
  return await inSnapshot(async (snapshot) => {
    const jobs = await MailJob.find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(jobsAtOnce)
      .select({
        organizationId: 1,
        mode: 1,
        status: 1,
        refundedCents: 1,
        'amounts.totalCents': 1,
        'items.itemId': 1,
        'items.status': 1,
        'items.shareCents': 1,
        batchId: 1,
        'due.batch': 1,
      })
      .session(snapshot)
      .lean<PaidJob[]>();
    const movements = await readMovements(
      snapshot,
      jobs.map(({ _id }) => _id),
    );
    const named = [...new Set(jobs.flatMap(({ batchId }) => batchId ?? []))];
    const batches = await Batch.find({ _id: { $in: named } })
      .select({ _id: 1 })
      .session(snapshot)
      .lean<{ _id: string }[]>();
    const batchIds = new Set(batches.map(({ _id }) => _id));
    return jobs.map((job) => ({ job, movements: movements.get(job._id) ?? [], batchIds }));
  });
}
