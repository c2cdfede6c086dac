import { inSnapshot } from '../platform/snapshot.ts';
import { type CheckedEntry, checkLedgers } from '../wallet/check-ledgers.ts';
import { type MailMovement, readMovements } from '../wallet/read-movements.ts';
import type { Violation } from '../wallet/violation.ts';
import { checkMailJob, type PaidJob } from './check-mail-job.ts';
import { MailJob } from './mail-job.model.ts';

/** The name of the chore that does it. */
export const reconcileChore = 'reconcile';

export type Reconciliation = { wallets: number; entries: number; mailJobs: number; violationCount: number };

export type ReconcileOptions = {
  /** Gets each violation when it is found. */
  report(violation: Violation): void;
  /** Ends it in the middle, with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** Mail jobs that are looked at in one snapshot. */
const jobsAtOnce = 500;

/**
 * Holds wallets, ledger and mail jobs against each other, all of them, and corrects nothing. Memory is bounded, whatever
 * there is; letters may be sent and refunded meanwhile.
 */
export async function reconcile({ report, signal }: ReconcileOptions): Promise<Reconciliation> {
  let violationCount = 0;
  const count = (violation: Violation) => {
    violationCount += 1;
    report(violation);
  };
  const ledgers = await checkLedgers({
    report: count,
    onEntries: (entries) => checkOrphans(entries, count),
    signal,
  });
  let mailJobs = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal?.throwIfAborted();
    const page = await readPaidJobs(after);
    for (const { job, movements } of page) for (const violation of checkMailJob(job, movements)) count(violation);
    mailJobs += page.length;
    after = page.at(-1)?.job._id;
  }
  return { ...ledgers, mailJobs, violationCount };
}

/** A movement of a letter was committed together with its mail job, and mail jobs stay: one that is missing is gone. */
async function checkOrphans(entries: readonly CheckedEntry[], report: (violation: Violation) => void): Promise<void> {
  const ids = new Set(entries.flatMap(({ mailJobId }) => mailJobId ?? []));
  if (ids.size === 0) return;
  const found = await MailJob.find({ _id: { $in: [...ids] } })
    .select({ _id: 1 })
    .readConcern('majority')
    .lean<{ _id: string }[]>();
  const there = new Set(found.map(({ _id }) => _id));
  for (const id of ids) {
    if (there.has(id)) continue;
    report({ subject: 'mail job', id, rule: 'what was debited or refunded has its mail job', expected: 1, found: 0 });
  }
}

/** A page of mail jobs with what they moved, all as of one moment: a refund in between must not look like a fault. */
async function readPaidJobs(after: string): Promise<{ job: PaidJob; movements: readonly MailMovement[] }[]> {
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
      })
      .session(snapshot)
      .lean<PaidJob[]>();
    const movements = await readMovements(
      snapshot,
      jobs.map(({ _id }) => _id),
    );
    return jobs.map((job) => ({ job, movements: movements.get(job._id) ?? [] }));
  });
}
