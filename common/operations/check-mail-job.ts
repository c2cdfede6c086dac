import { mailStatuses, statusOfItems } from '../mail-jobs/model/lifecycle.ts';
import type { MailItem, MailJobRecord } from '../mail-jobs/model/mail-job.model.ts';
import type { Violation } from '../wallet/ledger/check-ledgers.ts';
import { walletIdOf } from '../wallet/ledger/move-money.ts';
import type { MailMovement } from '../wallet/ledger/read-ledger.ts';

/** The fields of a mail job that determine its movements of money. */
export type PaidJob = Pick<MailJobRecord, '_id' | 'organizationId' | 'mode' | 'status' | 'refundedCents'> & {
  amounts: { totalCents: number };
  items: Pick<MailItem, 'itemId' | 'status' | 'shareCents'>[];
};

/**
 * Checks a mail job against its ledger entries. It has one debit of its amount from its own wallet, one refund of the
 * share of each failed item and none for the others. Refunds never exceed the debit, and equal it if the job failed.
 * `refundedCents` equals the refunds. The status of the job is that of its items; statuses are reported by their index.
 */
export function checkMailJob(job: PaidJob, movements: readonly MailMovement[]): Violation[] {
  const violations: Violation[] = [];
  const expect = (rule: string, expected: number, found: number, holds = expected === found) => {
    if (!holds) violations.push({ subject: 'mail job', id: job._id, rule, expected, found });
  };
  const { totalCents } = job.amounts;
  const walletId = walletIdOf(job);
  const debits = movements.filter(({ kind }) => kind === 'debit');
  const refunds = movements.filter(({ kind }) => kind === 'refund');
  expect('a mail job has one debit', 1, debits.length);
  if (debits.length > 0) expect('the debit is the amount of the job', -totalCents, sumOf(debits));
  expect(
    'all entries are in the wallet of the owner',
    0,
    movements.filter((each) => each.walletId !== walletId).length,
  );
  expect('the item shares add up to the amount', totalCents, sum(job.items.map(({ shareCents }) => shareCents)));

  const byItem = Map.groupBy(refunds, ({ itemId }) => itemId);
  for (const { itemId, status, shareCents } of job.items) {
    const ofItem = byItem.get(itemId) ?? [];
    byItem.delete(itemId);
    const hasFailed = status === 'failed';
    expect(`item ${itemId} has ${hasFailed ? 'one refund' : 'no refund'}`, hasFailed ? 1 : 0, ofItem.length);
    if (hasFailed && ofItem.length > 0) expect(`the refund of item ${itemId} is its share`, shareCents, sumOf(ofItem));
  }
  expect('every refund is for an item of the job', 0, byItem.size);
  const refundedCents = sumOf(refunds);
  expect('refunds do not exceed the debit', totalCents, refundedCents, refundedCents <= totalCents);
  expect('refundedCents is the sum of the refunds', refundedCents, job.refundedCents);
  const { status } = job;
  const derived = statusOfItems(job.items);
  expect(`the status ${status} is that of the items`, mailStatuses.indexOf(derived), mailStatuses.indexOf(status));
  if (status === 'failed') expect('a failed mail job is fully refunded', totalCents, refundedCents);

  return violations;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const sumOf = (movements: readonly MailMovement[]) => sum(movements.map(({ amountCents }) => amountCents));
