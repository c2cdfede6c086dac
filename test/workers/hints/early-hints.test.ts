// Level: push
import { plusMs, systemClock } from '#common/clock.ts';
import { type ChoreRecord, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { finishClaim } from '#common/platform/due-work/due-work.ts';
import { afterEach, describe, eventually, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { useStandingTime } from '#test/support/standing-time.ts';
import { claimedWork } from '#workers/claimed-work.ts';
import { startWorker } from '#workers/worker.ts';

describe('a hint that arrives before its work is due', () => {
  const world = startWorld({ hasTariffs: false });
  let worker: ReturnType<typeof startWorker> | undefined;
  afterEach(() => worker?.close());
  const { run, advance } = useStandingTime();

  /** Starts a worker whose clock is behind, without a scanner that would send another hint. */
  function listen(behindMs: number): Date[] {
    const clock = { now: () => plusMs(systemClock.now(), -behindMs) };
    // Their client is patient. The other one drops a hint after 50 ms, and no scanner would find the work here.
    const options = { ...world.workersOptions, hints: world.workersOptions.scannerHints, clock };
    const startedAt: Date[] = [];
    const run = async (claim: Parameters<typeof finishClaim>[0]) => {
      startedAt.push(clock.now());
      await finishClaim(claim);
    };
    worker = startWorker(claimedWork<ChoreRecord>({ slot: choreWork, concurrency: 2, run }, options), options);
    return startedAt;
  }

  test('a worker whose clock is behind does the work when it is due by its clock', async () => {
    const at = systemClock.now();
    await planChore('early', at);
    const startedAt = listen(500);
    await world.hints.add([{ queue: 'cleanup', id: 'early', delayMs: 0 }]);
    await eventually(() => expect(startedAt).toHaveLength(1));
    expect(startedAt[0]?.getTime()).toBeGreaterThanOrEqual(at.getTime());
  });

  test('200 early hints for one row are postponed as one', async () => {
    // Time stands still for postponed messages, too: all of one row belong to the same step.
    const clock = standingClock();
    const options = { ...world.workersOptions, hints: world.workersOptions.scannerHints, clock };
    await planChore('hinted-often', plusMs(clock.now(), 1_000));
    await planChore('hinted-once', plusMs(clock.now(), 1_500));
    const done: string[] = [];
    const finish = async (claim: Parameters<typeof finishClaim>[0]) => {
      await finishClaim(claim);
      done.push(claim.id);
    };
    const work = claimedWork<ChoreRecord>({ slot: choreWork, concurrency: 2, run: finish }, options);
    const ids = [...Array.from({ length: 200 }, () => 'hinted-often'), 'hinted-once'];
    let taken = 0;
    const handle: typeof work.handle = async (...args) => {
      await run(() => work.handle(...args));
      taken += 1;
    };
    worker = startWorker({ ...work, handle }, options);
    await options.hints.add(ids.map((id) => ({ queue: 'cleanup', id, delayMs: 0 })));
    await eventually(() => expect(taken).toBe(201));
    clock.advance(1_500);
    await advance(1_600);
    // One more message of each row.
    await eventually(() => expect(taken).toBe(203));
    expect(done.sort()).toEqual(['hinted-often', 'hinted-once']);
  });
});
