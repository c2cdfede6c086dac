// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { pauseWork, resumeWork } from '#common/operations/change-pauses.ts';
import { Pause } from '#common/platform/due-work/pause.model.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aPress } from '#test/support/production/a-press.ts';
import { openPressScene, startPressScene } from '#test/support/production/press-scene.ts';

const by = { kind: 'cli', id: 'ada' } as const;
/** A Monday morning. */
const morning = new Date('2027-03-01T08:00:00Z');
const dayMs = 24 * 3_600_000;

describe('while the handing over of batches is paused', () => {
  const clock = standingClock(morning);
  const world = startWorld({ clock });
  const press = aPress();
  const options = {
    printRules: [{ zone: null, serviceType: null, provider: 'hot-folder' as const }],
    providers: { 'hot-folder': press.provider },
  };
  const scene = startPressScene(world, clock, options);

  /** Each test has a working day of its own. */
  let day = 0;
  beforeEach(async () => {
    await MailJob.updateMany({}, { $unset: { 'due.batch': '' } });
    await Batch.updateMany({}, { $unset: { 'due.press': '' } });
    await Pause.deleteMany({});
    press.printed.length = 0;
    clock.set(new Date(morning.getTime() + (day + 2 * Math.floor(day / 5)) * dayMs));
    day += 1;
  });
  const pause = async (organizationId: string | null = null) =>
    await pauseWork({ work: 'dispatch', organizationId, reason: 'test' }, by, clock.now());
  const resume = async (organizationId: string | null = null) =>
    await resumeWork({ work: 'dispatch', organizationId }, by, clock.now());
  async function pass(to: Date): Promise<void> {
    clock.set(to);
    await scene.collect();
    clock.advance(6_000);
    await scene.runBatches();
  }

  test('a letter waits past the closing, and after the pause still goes with its cutoff', async () => {
    const { _id, closesAt, dropAt } = await scene.sendRendered();
    await pause();
    await pass(closesAt);
    expect((await scene.read(_id)).batchId).toBeUndefined();
    await resume();
    await pass(new Date(clock.now().getTime() + 60_000));
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'at_press', cutoffAt: dropAt });
    expect(press.printed).toHaveLength(1);
  });

  test('a letter whose cutoff passes gets a later date, which its sender sees and may cancel until', async () => {
    const { _id, closesAt, dropAt } = await scene.sendRendered();
    await pause();
    await pass(closesAt);
    await pass(dropAt);
    const { http } = scene.customer;
    const { body } = await http.get(`/v1/mails/${_id}`);
    const next = new Date(dropAt.getTime() + dayMs).toISOString();
    expect(body).toMatchObject({ status: 'queued', dropAt: next });
    const { body: timeline } = await http.get(`/v1/mails/${_id}/timeline`);
    expect(timeline.data.at(-1)).toMatchObject({ kind: 'postponed', detail: { reason: 'paused', dropAt: next } });
    expect((await http.post(`/v1/mails/${_id}/cancel`)).status).toBe(200);
  });

  test('a letter that nothing looked at until its cutoff had passed moves to the next one, as after a drain', async () => {
    const { _id, dropAt } = await scene.sendRendered();
    await pause();
    clock.set(new Date(dropAt.getTime() + 15 * 60_000));
    await resume();
    await pass(clock.now());
    expect(await scene.read(_id)).toMatchObject({ dropAt: new Date(dropAt.getTime() + dayMs) });
    expect((await scene.read(_id)).batchId).toBeUndefined();
    const { body: timeline } = await scene.customer.http.get(`/v1/mails/${_id}/timeline`);
    expect(timeline.data.at(-1)).toMatchObject({ kind: 'postponed', detail: { reason: 'paused' } });
    expect(press.printed).toEqual([]);
  });

  test('a closed batch is not handed over, and after the pause it is printed once', async () => {
    const { _id, closesAt } = await scene.sendRendered();
    clock.set(closesAt);
    await scene.collect();
    await pause();
    await pass(new Date(closesAt.getTime() + 1_000));
    expect([(await scene.batchOf(_id)).state, press.printed]).toEqual(['open', []]);
    await resume();
    clock.advance(5_000);
    await scene.runBatches();
    expect((await scene.batchOf(_id)).state).toBe('at_press');
    expect(press.printed).toHaveLength(1);
  });

  test('a pause that begins while the copies are made stops the handing over', async () => {
    const pausing = {
      ...press.provider,
      async prepare(work: Parameters<typeof press.provider.prepare>[0]) {
        const handOver = await press.provider.prepare(work);
        await pause();
        return handOver;
      },
    };
    const own = await openPressScene(world, clock, { ...options, providers: { 'hot-folder': pausing } });
    const { _id } = await own.sendRendered();
    await own.bringToPress(_id);
    expect([(await own.batchOf(_id)).state, press.printed]).toEqual(['closed', []]);
  });

  test('copies that were made before the database went away are discarded', async () => {
    const own = await openPressScene(world, clock, {
      ...options,
      providers: {
        'hot-folder': {
          ...press.provider,
          async prepare(work) {
            const handOver = await press.provider.prepare(work);
            const { pauses } = own.deps;
            own.deps.pauses = { ...pauses, read: () => Promise.reject(new Error('unreachable')) };
            const discard = async () => void discarded.push(work.batch.batchId);
            return Object.assign(() => handOver(), { discard });
          },
        },
      },
    });
    const discarded: string[] = [];
    const { _id, closesAt } = await own.sendRendered();
    clock.set(closesAt);
    await own.collect();
    clock.advance(6_000);
    await expect(own.runBatches()).rejects.toThrow('unreachable');
    expect([discarded, press.printed]).toEqual([[(await own.read(_id)).batchId], []]);
  });

  test('of one organization: the letters of others go, and its own move to the next cutoff', async () => {
    const other = await openPressScene(world, clock, options);
    const [held, free] = [await scene.sendRendered(), await other.sendRendered()];
    await pause(scene.customer.organizationId);
    await pass(held.closesAt);
    expect(await scene.batchOf(free._id)).toMatchObject({ state: 'at_press', itemCount: 1 });
    expect((await scene.read(held._id)).dropAt).toEqual(held.dropAt);
    await pass(held.dropAt);
    expect((await scene.read(held._id)).dropAt.getTime()).toBeGreaterThan(held.dropAt.getTime());
  });

  test('of one organization, ended before the cutoff: its letters go with it, in a further batch', async () => {
    const other = await openPressScene(world, clock, options);
    const [held, free] = [await scene.sendRendered(), await other.sendRendered()];
    await pause(scene.customer.organizationId);
    await pass(held.closesAt);
    expect(await scene.batchOf(free._id)).toMatchObject({ state: 'at_press', part: 1 });
    clock.set(new Date(held.dropAt.getTime() - 3_600_000));
    await resume(scene.customer.organizationId);
    await pass(new Date(clock.now().getTime() + 15_000));
    expect(await scene.batchOf(held._id)).toMatchObject({ state: 'at_press', part: 2, cutoffAt: held.dropAt });
    expect((await scene.read(held._id)).dropAt).toEqual(held.dropAt);
  });

  test.each(['dispatch', 'all'] as const)(
    'a pause of %s while a batch collects: after its end the rest joins the batch',
    async (work) => {
      const [first, second] = [await scene.sendRendered(), await scene.sendRendered()];
      const { closesAt, dropAt } = first;
      const later = new Date(closesAt.getTime() + 500);
      await MailJob.updateOne({ _id: second._id }, { $set: { 'due.batch.at': later } });
      clock.set(closesAt);
      await scene.collect();
      clock.set(later);
      await pauseWork({ work, organizationId: null, reason: 'test' }, by, clock.now());
      clock.advance(1_800_000);
      await resumeWork({ work, organizationId: null }, by, clock.now());
      clock.advance(5_000);
      // The batch may be looked at before its letters are.
      await scene.runOnce(first._id);
      expect((await scene.batchOf(first._id)).state).toBe('open');
      await pass(clock.now());
      expect(await scene.batchOf(second._id)).toMatchObject({ state: 'at_press', letterCount: 2, cutoffAt: dropAt });
    },
  );
});
