import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { expect } from '../jest.ts';
import { type Customer, ledgerOf } from '../product/customer.ts';

/** One send and its answer: the job of its externalId, or null when the balance was too low. */
export type Sent = {
  externalId: string;
  color: boolean;
  priceCents: number;
  answer: { mailJobId: string; isNew: boolean; payloadMatches: boolean } | null;
};

/**
 * Checks that some serial order of sends and top-ups explains the ledger after its first `seqBefore` entries, and every
 * answer. Returns the new entries of the ledger.
 */
export async function expectSerialOrder(customer: Customer, sent: readonly Sent[], seqBefore: number) {
  const jobs = await MailJob.find({ organizationId: customer.organizationId }).lean<MailJobRecord[]>();
  const jobOf = new Map(jobs.map((job) => [job.externalId, job]));
  expect(jobOf.size).toBe(jobs.length);
  const ledger = await ledgerOf(customer);
  const debits = ledger.filter(({ kind }) => kind === 'debit');
  expect(debits.map(({ mailJobId }) => mailJobId).sort()).toEqual(jobs.map(({ _id }) => _id).sort());
  expect(Math.min(...ledger.map(({ balanceAfterCents }) => balanceAfterCents))).toBeGreaterThanOrEqual(0);
  for (const { externalId, color, priceCents, answer } of sent) {
    const job = jobOf.get(externalId);
    if (answer) {
      const { mailJobId, payloadMatches } = answer;
      expect([mailJobId, payloadMatches]).toEqual([job?._id, job?.color === color]);
      continue;
    }
    // A refusal needs a moment when the balance was too low and no earlier send had created the job.
    const debitedAt = job ? ledger.findIndex(({ mailJobId }) => mailJobId === job._id) : ledger.length;
    const balances = ledger.slice(seqBefore - 1, debitedAt).map(({ balanceAfterCents }) => balanceAfterCents);
    expect(Math.min(...balances)).toBeLessThan(priceCents);
  }
  const created = sent.flatMap(({ answer }) => (answer?.isNew ? [answer.mailJobId] : []));
  expect(new Set(created).size).toBe(created.length);
  return ledger.slice(seqBefore);
}
