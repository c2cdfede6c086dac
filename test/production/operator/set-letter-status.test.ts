// Level: push
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

describe('the status of a letter that is in a batch', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);

  test('moves the batch on with its last letter', async () => {
    const [first, last] = [await scene.sendRendered(), await scene.sendRendered()];
    await scene.bringToPress(first._id);
    const set = async (mailJobId: string, target: 'printed' | 'posted') => {
      await setLetterStatus({ mailJobId, target }, { hints: world.hints, at: clock.now() });
      return (await scene.batchOf(mailJobId)).state;
    };
    expect(await set(first._id, 'posted')).toBe('at_press');
    expect(await set(last._id, 'printed')).toBe('printed');
    expect(await set(last._id, 'posted')).toBe('posted');
  });

  test('a letter that is in no batch changes none', async () => {
    const { _id } = await scene.sendRendered();
    const moved = await setLetterStatus({ mailJobId: _id, target: 'printed' }, { hints: world.hints, at: clock.now() });
    expect(moved).toEqual({ mailJobId: _id, previousStatus: 'queued', status: 'printed' });
    expect((await scene.read(_id)).batchId).toBeUndefined();
  });
});
