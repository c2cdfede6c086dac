// Level: unit
import { AppError } from '#common/errors.ts';
import { type MailStatus, mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import { isFinal, isSettled, nextStatus, statusOfItems, transitions } from '#common/mail-jobs/rules/lifecycle.ts';
import { describe, expect, test } from '#test/support/jest.ts';

/** The specification: one step, a jump to any status ahead, or to failed. Delivered and failed are final. */
const order: MailStatus[] = ['queued', 'printed', 'posted', 'delivered'];
const final: MailStatus[] = ['delivered', 'failed'];
const steps: Partial<Record<MailStatus, MailStatus>> = { queued: 'printed', printed: 'posted', posted: 'delivered' };

function isAllowed(from: MailStatus, to: MailStatus): boolean {
  if (final.includes(from)) return false;
  return to === 'failed' || order.indexOf(to) > order.indexOf(from);
}

/** Returns the next status, or the code of the error. */
function outcome(from: MailStatus, to?: MailStatus): MailStatus | string {
  try {
    return nextStatus(from, to);
  } catch (error) {
    if (error instanceof AppError) return `${error.status} ${error.code}`;
    throw error;
  }
}

const pairs = mailStatuses.flatMap((from) => mailStatuses.map((to) => [from, to, isAllowed(from, to)] as const));

describe('the lifecycle of a mail job', () => {
  test('of the 25 pairs of statuses, 9 are transitions', () => {
    expect(pairs).toHaveLength(25);
    expect(pairs.filter(([, , allowed]) => allowed)).toHaveLength(9);
    expect(transitions).toHaveLength(9);
  });

  test.each(pairs)('a transition from %s to %s is allowed: %s', (from, to, allowed) => {
    expect(outcome(from, to)).toBe(allowed ? to : '409 CONFLICT');
    expect(transitions.some((row) => row.from === from && row.to === to)).toBe(allowed);
  });

  test.each(mailStatuses)('one step from %s leads to the next status, or conflicts when there is none', (from) => {
    expect(outcome(from)).toBe(steps[from] ?? '409 CONFLICT');
  });

  test.each(mailStatuses)('%s is final only if it is delivered or failed', (status) => {
    expect(isFinal(status)).toBe(final.includes(status));
  });

  test('the error of a refused transition names both statuses', () => {
    expect(() => nextStatus('posted', 'printed')).toThrow('A mail job that is posted cannot become printed.');
    expect(() => nextStatus('delivered')).toThrow('A mail job that is delivered goes no further.');
  });

  test('every path from queued ends in a final status', () => {
    const ends = new Set<MailStatus>();
    const walk = (status: MailStatus, movesLeft: number): void => {
      expect(movesLeft).toBeGreaterThanOrEqual(0);
      const onward = transitions.filter(({ from }) => from === status);
      if (onward.length === 0) ends.add(status);
      for (const { to } of onward) walk(to, movesLeft - 1);
    };
    walk('queued', 4);
    expect([...ends].sort()).toEqual([...final].sort());
  });

  test.each([
    [['queued', 'printed', 'posted'], 'queued'],
    [['failed', 'printed', 'posted'], 'printed'],
    [['delivered', 'failed', 'posted'], 'posted'],
    [['delivered', 'delivered', 'failed'], 'delivered'],
    [['failed', 'failed'], 'failed'],
  ] as const)('items that are %j make a mail job %s', (items, status) => {
    expect(statusOfItems(items.map((each) => ({ status: each })))).toBe(status);
    expect(statusOfItems(items.toReversed().map((each) => ({ status: each })))).toBe(status);
  });

  test('only a transition to failed is refunded', () => {
    expect(transitions.filter(({ isRefunded }) => isRefunded).map(({ to }) => to)).toEqual([
      'failed',
      'failed',
      'failed',
    ]);
    expect(transitions.filter(({ to, isRefunded }) => to === 'failed' && !isRefunded)).toEqual([]);
  });

  const postedAt = new Date('2027-03-01T15:00:00Z');
  const reportedBy = new Date('2027-04-30T15:00:00Z');
  const settling = (status: MailStatus, items: readonly string[], serviceType = 'registered') => {
    const [posted, back] = [{ status: 'posted' as const }, { status: 'posted' as const, returned: {} }];
    const copies = items.map((each) => ({ back, posted })[each] ?? { status: each as MailStatus });
    return { status, serviceType, items: copies, postedAt: status === 'posted' ? postedAt : null };
  };
  test.each([
    [settling('posted', ['posted'], 'standard'), true],
    [settling('printed', ['printed'], 'standard'), false],
    [settling('posted', ['back', 'posted']), false],
    [settling('posted', ['back', 'delivered', 'failed']), true],
    [settling('printed', ['back', 'printed']), false],
    [settling('delivered', ['delivered', 'failed']), true],
    [settling('failed', ['failed']), true],
  ] as const)('%j is settled: %s', (job, isIt) => {
    expect(isSettled(job, new Date(reportedBy.getTime() - 1))).toBe(isIt);
  });

  test('a registered letter on a test clock does not settle by the time of day', () => {
    const job = settling('posted', ['posted']);
    expect(isSettled(job, reportedBy)).toBe(true);
    expect(isSettled({ ...job, clock: {} }, reportedBy)).toBe(false);
  });
});
