import type { MailItem, MailJobRecord } from '../mail-jobs/model/mail-job.model.ts';
import { mailStatuses } from '../mail-jobs/model/mail-status.ts';
import { statusOfItems } from '../mail-jobs/rules/lifecycle.ts';
import type { Violation } from '../wallet/ledger/check-ledgers.ts';
import { walletIdOf } from '../wallet/ledger/move-money.ts';
import type { MailMovement } from '../wallet/ledger/read-ledger.ts';

/** The fields of a mail job that determine its movements of money, and its way to press. */
export type PaidJob = Pick<
  MailJobRecord,
  '_id' | 'organizationId' | 'mode' | 'status' | 'refundedCents' | 'batchId'
> & {
  amounts: { totalCents: number };
  due: Pick<MailJobRecord['due'], 'batch'>;
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

/**
 * Checks the way of a mail job to press: its batch exists, and it is collected once. A live job that is queued is in a
 * batch or due for one: otherwise it would never be printed. `batchIds`: the batches that exist.
 */
export function checkWayToPress(
  { _id: id, mode, status, batchId, due }: PaidJob,
  batchIds: ReadonlySet<string>,
): Violation[] {
  const isDue = due.batch !== undefined;
  const isWaiting = mode === 'live' && status === 'queued';
  const rules: [rule: string, expected: number, found: number][] = [];
  if (batchId !== undefined) {
    rules.push(['the batch of a mail job exists', 1, batchIds.has(batchId) ? 1 : 0]);
    rules.push(['a mail job in a batch is not due for another', 0, isDue ? 1 : 0]);
  } else if (isWaiting) {
    rules.push(['a queued live mail job is in a batch or due for one', 1, isDue ? 1 : 0]);
  }
  return rules.flatMap(([rule, expected, found]) => {
    return expected === found ? [] : [{ subject: 'mail job' as const, id, rule, expected, found }];
  });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const sumOf = (movements: readonly MailMovement[]) => sum(movements.map(({ amountCents }) => amountCents));
