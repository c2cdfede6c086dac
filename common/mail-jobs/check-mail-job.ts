import { walletIdOf } from '../wallet/move-money.ts';
import type { MailMovement } from '../wallet/read-movements.ts';
import type { Violation } from '../wallet/violation.ts';
import type { MailItem, MailJobRecord } from './mail-job.model.ts';

/** What of a mail job says how its money should have moved. */
export type PaidJob = Pick<MailJobRecord, '_id' | 'organizationId' | 'mode' | 'status' | 'refundedCents'> & {
  amounts: { totalCents: number };
  items: Pick<MailItem, 'itemId' | 'status' | 'shareCents'>[];
};

/**
 * Holds a mail job against what it has moved: one debit of its amount from its own wallet, one refund of its share for
 * each failed item and none for the others, never more back than was taken, and all of it when the job failed. What the
 * job tells its owner of its refunds is what they are.
 */
export function checkMailJob(job: PaidJob, movements: readonly MailMovement[]): Violation[] {
  const violations: Violation[] = [];
  const expect = (rule: string, expected: number, found: number, isFine = expected === found) => {
    if (!isFine) violations.push({ subject: 'mail job', id: job._id, rule, expected, found });
  };
  const { totalCents } = job.amounts;
  const walletId = walletIdOf(job);
  const debits = movements.filter(({ kind }) => kind === 'debit');
  const refunds = movements.filter(({ kind }) => kind === 'refund');
  expect('a mail job has one debit', 1, debits.length);
  if (debits.length > 0) expect('its debit is its amount', -totalCents, sumOf(debits));
  expect('its money moves in its own wallet', 0, movements.filter((each) => each.walletId !== walletId).length);
  expect('its shares add up to its amount', totalCents, sum(job.items.map(({ shareCents }) => shareCents)));

  const byItem = Map.groupBy(refunds, ({ itemId }) => itemId);
  for (const { itemId, status, shareCents } of job.items) {
    const ofItem = byItem.get(itemId) ?? [];
    byItem.delete(itemId);
    const hasFailed = status === 'failed';
    expect(`item ${itemId} has ${hasFailed ? 'one refund' : 'no refund'}`, hasFailed ? 1 : 0, ofItem.length);
    if (hasFailed && ofItem.length > 0) expect(`the refund of item ${itemId} is its share`, shareCents, sumOf(ofItem));
  }
  expect('its refunds are of its own items', 0, byItem.size);
  const refundedCents = sumOf(refunds);
  expect('no more is refunded than was debited', totalCents, refundedCents, refundedCents <= totalCents);
  expect('it says what was refunded', refundedCents, job.refundedCents);
  if (job.status === 'failed') expect('a failed mail job is refunded whole', totalCents, refundedCents);

  return violations;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const sumOf = (movements: readonly MailMovement[]) => sum(movements.map(({ amountCents }) => amountCents));
