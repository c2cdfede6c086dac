// Level: ci
import { hasCode } from '#common/errors.ts';
import { markItem } from '#common/production/operator/mark-item.ts';
import { recordScan } from '#common/production/operator/record-scan.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { strikeAtStep } from '#test/support/production/strike-at-step.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

type OperatorContext = Parameters<typeof recordScan>[1];

describe('a report about the last item of a batch, whose process dies', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);

  type Report = Parameters<typeof recordScan>[0];
  /** What the operator does next. What was recorded before is refused, except for a scan. */
  const repeats = {
    scan: recordScan,
    page: ({ code: itemId, ...report }: Report, context: OperatorContext) => markItem({ itemId, ...report }, context),
    command: ({ mark, reason }: Report, context: OperatorContext, mailJobId: string) =>
      setLetterStatus({ mailJobId, target: mark, reason }, context),
  };
  const ignoreConflict = (error: unknown) => {
    if (!hasCode(error, 'CONFLICT')) throw error;
  };

  test.each([
    ['printed', 'scan', 'printed'],
    ['printed', 'page', 'printed'],
    ['posted', 'scan', 'posted'],
    ['failed', 'page', 'posted'],
    ['posted', 'command', 'posted'],
  ] as const)('%s: a repeat by %s completes it, and its batch is %s', async (mark, repeat, state) => {
    let steps = 0;
    for (let step: string | null = ''; step !== null; steps += 1) {
      do clock.advance(24 * 3_600_000);
      while ([0, 6].includes(clock.now().getUTCDay()));
      clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
      const { _id } = await scene.sendRendered();
      const { items } = await scene.bringToPress(_id);
      const scan = { code: items[0]?.itemId ?? '', mark, by: undefined };
      const report = mark === 'failed' ? { ...scan, reason: 'It tore.' } : scan;
      const context = { hints: world.hints, at: clock.now() };
      step = await strikeAtStep(steps + 1, { kind: 'death' }, () => recordScan(report, context));
      await repeats[repeat](report, context, _id).catch(repeat === 'scan' ? undefined : ignoreConflict);
      expect([steps, step, (await scene.batchOf(_id)).state]).toEqual([steps, step, state]);
      expect((await scene.read(_id)).status).toBe(mark);
    }
    expect(steps).toBeGreaterThan(5);
    expect(await findViolations()).toEqual([]);
  });
});
