import { describe, expect, test } from '@jest/globals';
import { createTurns, type Turns } from '../../common/platform/turns.ts';
import { eventually } from '../support/eventually.ts';
import { startWorld } from '../support/world.ts';

/** As long as a commit: whoever waits looks several times meanwhile, and so has its place when the turn is over. */
const commitMs = 15;

describe('turns between processes', () => {
  startWorld();

  /** What two processes that have met each other do, for so many rounds each: in which order, and how often at once. */
  async function takeTurns(processes: Turns[], rounds: number) {
    const order: number[] = [];
    let busy = 0;
    let overlaps = 0;
    const run = async (turns: Turns, n: number) => {
      for (let round = 0; round < rounds; round += 1) {
        turns.noteConflict();
        await turns.take();
        if (busy > 0) overlaps += 1;
        busy += 1;
        order.push(n);
        await new Promise((resolve) => setTimeout(resolve, commitMs));
        busy -= 1;
        turns.end();
      }
    };
    await Promise.all(processes.map(run));
    return { order, overlaps };
  }

  test('given nobody in the way, when a turn is asked for, then there is nothing to wait for', () => {
    expect(createTurns('alone').take()).toBeUndefined();
  });

  test('given two that were in each other’s way, when both are busy, then they go one after the other, and by turns', async () => {
    const { order, overlaps } = await takeTurns([createTurns('both'), createTurns('both')], 20);
    // A process that stands still for long loses its turn; that is no fault, but it is rare.
    expect(overlaps).toBeLessThanOrEqual(4);
    const changes = order.filter((n, index) => index > 0 && n !== order[index - 1]).length;
    expect(changes).toBeGreaterThanOrEqual(20);
  });

  test('given one that dies in its turn, when another wants to go, then it waits for less than a second', async () => {
    const [dead, living] = [createTurns('dead'), createTurns('dead')];
    dead.noteConflict();
    await dead.take();
    living.noteConflict();
    const startedMs = performance.now();
    await living.take();
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  test('given names that differ, when one is taken, then the other is free', async () => {
    const { overlaps } = await takeTurns([createTurns('this'), createTurns('that')], 20);
    expect(overlaps).toBeGreaterThan(0);
  });

  test('given a turn that was not given back, when its time is over, then its process asks for another', async () => {
    const turns = createTurns('forgotten');
    turns.noteConflict();
    await turns.take();
    expect(turns.take()).toBeUndefined();
    await eventually(
      () => {
        turns.noteConflict();
        expect(turns.take()).toBeInstanceOf(Promise);
      },
      { withinMs: 5_000 },
    );
  });
});
