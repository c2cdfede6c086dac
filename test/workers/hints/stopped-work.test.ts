// Level: push
import { type ChoreRecord, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { readDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { claimedWork } from '#workers/claimed-work.ts';
import { drainWorker } from '#workers/drain-worker.ts';

describe('work of a process that is stopped', () => {
  const world = startWorld({ hasTariffs: false });

  test.each([
    ['throws, as what was aborted does', true],
    ['returns before it is done', false],
  ])('that %s is due at once, and counts as no failure', async (_what, throws) => {
    const clock = standingClock();
    await planChore('stopped', clock.now());
    const stopping = new AbortController();
    const run = async (_claim: unknown, { signal }: { signal: AbortSignal }) => {
      stopping.abort();
      if (throws) signal.throwIfAborted();
    };
    const work = claimedWork<ChoreRecord>({ slot: choreWork, concurrency: 1, run }, { ...world.workersOptions, clock });
    await work.handle('stopped', { closing: stopping.signal, signal: stopping.signal, log: world.log });
    const row = await rowsOf<ChoreRecord>('chores').findOne({ _id: 'stopped' });
    expect(readDue(row!, 'due')).toMatchObject({ at: clock.now(), failures: 0, unfinished: 0, leaseToken: null });
  });

  test.each([
    ['has more due, is hinted to another process', true, ['mj_1']],
    ['has nothing more due, is not hinted', false, []],
  ])('that drains its queue and %s', async (_what, isMore, expected) => {
    const stopping = new AbortController();
    const hinted: string[] = [];
    const hints = { ...world.hints, notify: (_queue: string, ids: readonly string[]) => void hinted.push(...ids) };
    const round = async () => {
      stopping.abort();
      return isMore;
    };
    const { handle } = drainWorker('batch', () => ({ round }), { ...world.workersOptions, pausedWith: 'press', hints });
    await handle('mj_1', { closing: stopping.signal, signal: stopping.signal, log: world.log });
    expect(hinted).toEqual(expected);
  });
});
