// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { readTimeline } from '#common/mail-jobs/read/timeline.ts';
import { Batch, type BatchRecord } from '#common/production/batches/batch.model.ts';
import { collectDueJobs } from '#common/production/batches/collect-jobs.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { onCommand } from '#test/support/races/on-command.ts';

/** A Monday morning. */
const morning = new Date('2027-03-01T08:00:00Z');
const cutoffAt = new Date('2027-03-01T14:00:00Z');
const closesAt = new Date('2027-03-01T12:30:00Z');

describe('the collecting of letters for their batches', () => {
  const clock = standingClock(morning);
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const abroad = { zone: 'INTERNATIONAL', recipients: [aRequestAddress({ country: 'FR', zip: '75001' })] };

  /** Each test has a day of its own, so that its batches are its own, and no letters of others are due. */
  async function startDay(day: number): Promise<{ cutoffAt: Date; closesAt: Date }> {
    await MailJob.updateMany({}, { $unset: { 'due.batch': '' } });
    const shift = (at: Date) => new Date(at.getTime() + day * 24 * 3_600_000);
    clock.set(shift(morning));
    return { cutoffAt: shift(cutoffAt), closesAt: shift(closesAt) };
  }
  const batchesAt = async (at: Date) => await Batch.find({ cutoffAt: at }).lean<BatchRecord[]>();

  test('letters of one kind share a batch, and each difference makes another', async () => {
    const { cutoffAt: at } = await startDay(0);
    const two = { recipients: [aRequestAddress(), aRequestAddress({ name: 'Bo' })] };
    const [plain, same, color, oneSide, prior, foreign, thick] = [
      await scene.sendRendered(),
      await scene.sendRendered(two),
      await scene.sendRendered({ color: true }),
      await scene.sendRendered({ doubleSided: false }, 3),
      await scene.sendRendered({ serviceType: 'prior' }),
      await scene.sendRendered(abroad),
      await scene.sendRendered({}, 13),
    ];
    clock.set(plain.closesAt);
    await scene.collect();
    expect((await scene.read(same._id)).batchId).toBe((await scene.read(plain._id)).batchId);
    const batches = await batchesAt(at);
    expect(batches).toHaveLength(6);
    expect(await scene.batchOf(same._id)).toMatchObject({
      letterCount: 2,
      itemCount: 3,
      sheetCount: 3,
      state: 'open',
      format: 'DL',
    });
    expect(await scene.batchOf(color._id)).toMatchObject({ color: true, itemCount: 1 });
    expect(await scene.batchOf(oneSide._id)).toMatchObject({ doubleSided: false, itemCount: 1, sheetCount: 3 });
    expect(await scene.batchOf(prior._id)).toMatchObject({ serviceType: 'prior' });
    expect(await scene.batchOf(foreign._id)).toMatchObject({ zone: 'INTERNATIONAL' });
    expect(await scene.batchOf(thick._id)).toMatchObject({ format: 'C5', sheetCount: 7 });
    const timeline = await readTimeline(await scene.read(plain._id));
    const batchId = (await scene.read(plain._id)).batchId;
    expect(timeline.at(-1)).toMatchObject({ kind: 'batched', detail: { batchId, cutoffAt: at.toISOString() } });
  });

  test('a letter that is collected later joins the open batch', async () => {
    const { closesAt: closing } = await startDay(1);
    const first = await scene.sendRendered();
    const second = await scene.sendRendered();
    await MailJob.updateOne({ _id: second._id }, { $set: { 'due.batch.at': new Date(closing.getTime() + 500) } });
    clock.set(closing);
    await scene.collect();
    expect((await scene.read(second._id)).batchId).toBeUndefined();
    clock.advance(500);
    await scene.collect();
    expect(await scene.batchOf(second._id)).toMatchObject({ letterCount: 2, itemCount: 2 });
    expect((await scene.read(first._id)).batchId).toBe((await scene.read(second._id)).batchId);
  });

  test('a letter that is not rendered in time moves to the next cutoff, which its sender sees', async () => {
    const { closesAt: closing } = await startDay(2);
    const id = await scene.send();
    const { dropAt } = await scene.read(id);
    clock.set(closing);
    await scene.collect();
    const moved = await scene.read(id);
    const nextDay = new Date(dropAt.getTime() + 24 * 3_600_000);
    expect([moved.batchId, moved.dropAt, moved.due.batch?.at]).toEqual([undefined, nextDay, moved.closesAt]);
    const { body } = await scene.customer.http.get(`/v1/mails/${id}`);
    expect(body).toMatchObject({ status: 'queued', dropAt: nextDay.toISOString() });
    const { body: timeline } = await scene.customer.http.get(`/v1/mails/${id}/timeline`);
    expect(timeline.data.at(-1)).toMatchObject({
      kind: 'postponed',
      detail: { reason: 'not_rendered', dropAt: nextDay.toISOString() },
    });
    await scene.render(id);
    await scene.bringToPress(id);
    expect(await scene.batchOf(id)).toMatchObject({ cutoffAt: nextDay, state: 'at_press' });
  });

  test('a letter that misses the same batch twice, by clocks that differ, holds up no other', async () => {
    const { closesAt: closing } = await startDay(16);
    const id = await scene.send();
    const other = await scene.sendRendered();
    clock.set(closing);
    await MailJob.updateOne({ _id: other._id }, { $set: { 'due.batch.at': new Date(closing.getTime() + 1_000) } });
    await scene.collect();
    const { dropAt } = await scene.read(id);
    // The API's clock is behind that of the worker: the first batch is still open there.
    clock.advance(-5_000);
    const { status } = await scene.customer.http.patch(`/v1/mails/${id}`, { scheduledDropAt: null });
    expect([status, (await scene.read(id)).closesAt]).toEqual([200, closing]);
    clock.advance(6_000);
    await scene.collect();
    expect((await scene.read(id)).dropAt).toEqual(dropAt);
    expect((await scene.batchOf(other._id)).letterCount).toBe(1);
  });

  test('a letter that is cancelled while it is collected is in no batch', async () => {
    const { closesAt: closing } = await startDay(4);
    const { _id } = await scene.sendRendered();
    clock.set(closing);
    let cancelled: number | null = null;
    await onCommand(
      async ({ name, isInTransaction }, run) => {
        if (cancelled === null && isInTransaction && name === 'find mail_jobs') {
          cancelled = 0;
          clock.advance(-1_000);
          cancelled = (await scene.customer.http.post(`/v1/mails/${_id}/cancel`)).status;
        }
        return await run();
      },
      () => scene.collect(),
    );
    const { batchId, failure, due } = await scene.read(_id);
    expect([cancelled, batchId, failure?.code, due.batch]).toEqual([200, undefined, 'CANCELLED', undefined]);
  });

  test('a letter that nobody prints stays queued, and goes when there is a provider', async () => {
    const { closesAt: closing } = await startDay(7);
    const { _id } = await scene.sendRendered({ serviceType: 'registered' });
    clock.set(closing);
    const printRules = [{ zone: null, serviceType: 'standard', provider: 'manual' }] as const;
    expect(await collectDueJobs({ ...scene.deps, printRules })).toBe(1);
    expect(await scene.read(_id)).toMatchObject({ status: 'queued', dropAt: new Date('2027-03-09T14:00:00Z') });
    await scene.bringToPress(_id);
    expect((await scene.batchOf(_id)).serviceType).toBe('registered');
  });

  test('a letter that comes when its batch is closed goes with the next one', async () => {
    const { closesAt: closing } = await startDay(9);
    const early = await scene.sendRendered();
    const late = await scene.sendRendered();
    await MailJob.updateOne({ _id: late._id }, { $unset: { 'due.batch': '' } });
    await scene.bringToPress(early._id);
    await MailJob.updateOne({ _id: late._id }, { $set: { 'due.batch': { ...early.due.batch, at: closing } } });
    await scene.collect();
    const moved = await scene.read(late._id);
    expect([moved.batchId, moved.dropAt]).toEqual([undefined, new Date('2027-03-11T14:00:00Z')]);
  });

  test('eight processes at once put each of 250 letters into one batch, and count it once', async () => {
    const { closesAt: closing } = await startDay(14);
    const { _id, ...job } = await scene.sendRendered();
    const ids = Array.from({ length: 250 }, (_, index) => `${_id}${index}`);
    await MailJob.insertMany(
      ids.map((id) => ({ ...job, _id: id, items: job.items.map((item) => ({ ...item, itemId: `mi_${id}` })) })),
    );
    clock.set(closing);
    await Promise.all(Array.from({ length: 8 }, () => scene.collect()));
    const collected = await MailJob.find({ _id: { $in: ids } }).lean();
    expect(new Set(collected.map(({ batchId }) => batchId)).size).toBe(1);
    expect(await scene.batchOf(_id)).toMatchObject({ letterCount: 251, itemCount: 251, sheetCount: 251 });
  });
});
