import { plusMs, systemClock } from '#common/clock.ts';
import { type ChoreRecord, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { finishClaim } from '#common/platform/due-work/due-work.ts';
import { afterEach, describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { claimedWork } from '#workers/claimed-work.ts';
import { startWorker } from '#workers/worker.ts';

describe('a hint that arrives before its work is due', () => {
  const world = startWorld({ hasTariffs: false });
  let worker: ReturnType<typeof startWorker> | undefined;
  afterEach(() => worker?.close());

  /** Starts a worker whose clock is behind, without a scanner that would send another hint. */
  function listen(behindMs: number): Date[] {
    const clock = { now: () => plusMs(systemClock.now(), -behindMs) };
    const options = { ...world.workersOptions, clock };
    const startedAt: Date[] = [];
    const run = async (claim: Parameters<typeof finishClaim>[0]) => {
      startedAt.push(clock.now());
      await finishClaim(claim);
    };
    worker = startWorker(claimedWork<ChoreRecord>({ slot: choreWork, concurrency: 2, run }, options), options);
    return startedAt;
  }

  test('a worker whose clock is 3 s behind does the work when it is due by its clock', async () => {
    const at = systemClock.now();
    await planChore('early', at);
    const startedAt = listen(3_000);
    await world.hints.add([{ queue: 'cleanup', id: 'early', delayMs: 0 }]);
    await eventually(() => expect(startedAt).toHaveLength(1));
    expect(startedAt[0]?.getTime()).toBeGreaterThanOrEqual(at.getTime());
  });

  test('200 early hints for one row are postponed as one', async () => {
    const options = { ...world.workersOptions, hints: world.workersOptions.scannerHints };
    const dueAt = plusMs(systemClock.now(), 5_000);
    await planChore('hinted-often', dueAt);
    await planChore('hinted-once', plusMs(dueAt, 1_000));
    const done: string[] = [];
    const run = async (claim: Parameters<typeof finishClaim>[0]) => {
      await finishClaim(claim);
      done.push(claim.id);
    };
    const work = claimedWork<ChoreRecord>({ slot: choreWork, concurrency: 2, run }, options);
    let taken = 0;
    const handle: typeof work.handle = async (...args) => {
      taken += 1;
      await work.handle(...args);
    };
    worker = startWorker({ ...work, handle }, options);
    const ids = [...Array.from({ length: 200 }, () => 'hinted-often'), 'hinted-once'];
    await options.hints.add(ids.map((id) => ({ queue: 'cleanup', id, delayMs: 0 })));
    // The hint for this row was postponed beyond all others.
    await eventually(() => expect(done).toContain('hinted-once'));
    expect(done).toContain('hinted-often');
    expect(taken).toBeLessThan(300);
  });
});
