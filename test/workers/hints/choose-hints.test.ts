// Level: unit
import { plusMs } from '#common/clock.ts';
import type { DueWork } from '#common/platform/due-work/read-due.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { chooseHints, hintLimits } from '#workers/scanner/choose-hints.ts';

describe('the choice of work to send hints for', () => {
  const now = new Date('2026-03-02T10:00:00.000Z');
  const nothing = { queued: 0, byOrganization: new Map<string | null, number>() };

  /** Returns rows of an organization, each due a millisecond after the previous one, the first `dueMs` from now. */
  function workOf(organizationId: string, count: number, options: { dueMs?: number; hintedMs?: number } = {}) {
    const { dueMs = -60_000, hintedMs } = options;
    return Array.from({ length: count }, (_, index): DueWork => {
      const hintedAt = hintedMs === undefined ? null : plusMs(now, hintedMs);
      const id = `${organizationId}-${index}`;
      return { id, organizationId, at: plusMs(now, dueMs + index), hintedAt, isLeased: false };
    });
  }
  const countOf = (chosen: readonly DueWork[], organizationId: string) =>
    chosen.filter((work) => work.organizationId === organizationId).length;

  test('a single organization gets all hints of a tick', () => {
    expect(chooseHints(workOf('greedy', 5_000), nothing, now)).toHaveLength(hintLimits.perTick);
  });

  test('one organization fills at most half of the queue', () => {
    const underWay = { queued: 0, byOrganization: new Map([['greedy', 900]]) };
    expect(chooseHints(workOf('greedy', 5_000), underWay, now)).toHaveLength(100);
    expect(chooseHints(workOf('greedy', 5_000), { ...underWay, queued: 950 }, now)).toHaveLength(50);
  });

  test('organizations within their share come first, however old the other work is', () => {
    const all = [...workOf('greedy', 5_000), ...workOf('modest', 100, { dueMs: -1_000 })];
    const chosen = chooseHints(all, nothing, now);
    expect(countOf(chosen, 'modest')).toBe(100);
    expect(chosen.slice(0, hintLimits.perOrganization + 100).some(({ id }) => id === 'modest-99')).toBe(true);
  });

  test('half of a queue is reserved for due work of organizations within their share', () => {
    const underWay = { queued: 1_500, byOrganization: new Map([['greedy', 1_000]]) };
    const later = workOf('later', 10, { dueMs: 5_000 });
    const chosen = chooseHints([...workOf('greedy', 10), ...later, ...workOf('modest', 10)], underWay, now);
    expect(new Set(chosen.map(({ organizationId }) => organizationId))).toEqual(new Set(['modest']));
    expect(chooseHints(workOf('modest', 10), { ...underWay, queued: hintLimits.queued }, now)).toEqual([]);
  });

  test('never hinted work comes first, then the oldest hints', () => {
    const rows = [
      ...workOf('recent', 1, { hintedMs: -11_000 }),
      ...workOf('long-ago', 1, { hintedMs: -60_000 }),
      ...workOf('never', 1, { dueMs: 0 }),
    ];
    expect(chooseHints(rows, nothing, now).map(({ organizationId }) => organizationId)).toEqual([
      'never',
      'long-ago',
      'recent',
    ]);
  });
});
