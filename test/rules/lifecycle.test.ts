import { describe, expect, test } from '@jest/globals';
import { AppError } from '../../common/errors.ts';
import { isFinal, type MailStatus, mailStatuses, nextStatus, transitions } from '../../common/mail-jobs/lifecycle.ts';

/** The specification: one step at a time, straight to any status ahead, or to failed; delivered and failed are final. */
const order: MailStatus[] = ['queued', 'printed', 'posted', 'delivered'];
const final: MailStatus[] = ['delivered', 'failed'];
const steps: Partial<Record<MailStatus, MailStatus>> = { queued: 'printed', printed: 'posted', posted: 'delivered' };

function isAllowed(from: MailStatus, to: MailStatus): boolean {
  if (final.includes(from)) return false;
  return to === 'failed' || order.indexOf(to) > order.indexOf(from);
}

/** Where a move ends, or the code of the error that it ends in. */
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
  test('given the five statuses, when they are paired, then there are 25 pairs, of which 9 are moves', () => {
    expect(pairs).toHaveLength(25);
    expect(pairs.filter(([, , allowed]) => allowed)).toHaveLength(9);
    expect(transitions).toHaveLength(9);
  });

  test.each(pairs)('given a job that is %s, when it is to become %s, then that it may is %s', (from, to, allowed) => {
    expect(outcome(from, to)).toBe(allowed ? to : '409 CONFLICT');
    expect(transitions.some((row) => row.from === from && row.to === to)).toBe(allowed);
  });

  test.each(mailStatuses)(
    'given a job that is %s, when it goes one step, then it is the next in the row or none',
    (from) => {
      expect(outcome(from)).toBe(steps[from] ?? '409 CONFLICT');
    },
  );

  test.each(mailStatuses)(
    'given a job that is %s, when it is asked, then only delivered and failed are final',
    (status) => {
      expect(isFinal(status)).toBe(final.includes(status));
    },
  );

  test('given a move that cannot be, when it is tried, then the message names both statuses', () => {
    expect(() => nextStatus('posted', 'printed')).toThrow('A mail job that is posted cannot become printed.');
    expect(() => nextStatus('delivered')).toThrow('A mail job that is delivered goes no further.');
  });

  test('given every way from queued, when all steps are walked, then it ends in a final status', () => {
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
});
