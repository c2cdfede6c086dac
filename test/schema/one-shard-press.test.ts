// Level: push
import { markBatch } from '#common/production/operator/mark-batch.ts';
import { expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { forbiddenOf } from '#test/support/servers/scatter.ts';

const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
const world = startWorld({ clock });
const scene = startPressScene(world, clock);

test('no statement would ask every shard to cancel, print and post live letters', async () => {
  await startProfiling();
  const recipients = ['Ada', 'Bo'].map((name) => aRequestAddress({ name }));
  const cancelled = await scene.send();
  const { http } = scene.customer;
  expect((await http.post(`/v1/mails/${cancelled}/cancel`)).status).toBe(200);
  const { _id } = await scene.sendRendered({ recipients });
  await scene.bringToPress(_id);
  const { _id: batchId } = await scene.batchOf(_id);
  for (const mark of ['printed', 'posted'] as const) {
    await markBatch(batchId, mark, undefined, { hints: world.hints, at: clock.now() });
    clock.advance(5_000);
    await scene.runBatches();
  }
  expect((await scene.read(_id)).status).toBe('posted');
  expect((await http.get(`/v1/mails/${_id}/timeline`)).status).toBe(200);
  // The scene itself reads and prepares letters by their ids alone.
  const ofScene = ({ collection, shape }: { collection: string; shape: string }) =>
    collection === 'mail_jobs' && shape === 'some _id';
  expect(forbiddenOf(await stopProfiling()).filter((each) => !ofScene(each))).toEqual([]);
});
