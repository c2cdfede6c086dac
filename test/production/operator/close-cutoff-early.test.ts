// Level: push
import { AuditEntry, type AuditEntryRecord } from '#common/audit/audit.model.ts';
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord } from '#common/production/batches/batch.model.ts';
import { closeCutoffEarly } from '#common/production/operator/close-cutoff-early.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

const operator = { kind: 'cli', id: 'ada' } as const;

describe('the closing of the batches of a cutoff before their time', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);

  /** Each test has a working day of its own, from nine in the morning. */
  function startDay(day: number): Date {
    clock.set(new Date(Date.UTC(2027, 2, day, 8)));
    return new Date(Date.UTC(2027, 2, day, 14));
  }
  const close = async (cutoffAt: Date) =>
    await closeCutoffEarly(cutoffAt, operator, { hints: world.hints, at: clock.now() });
  async function bringToPress(): Promise<void> {
    await scene.collect();
    clock.advance(1_000);
    await scene.runBatches();
  }
  const entriesOf = async (cutoffAt: Date) =>
    await AuditEntry.find({ subjectId: cutoffAt.toISOString() }).lean<AuditEntryRecord[]>();
  const partsAt = async (cutoffAt: Date) =>
    (await Batch.find({ cutoffAt }).sort({ part: 1 }).lean<BatchRecord[]>()).map(({ part, letterCount, state }) => {
      return { part, letterCount, state };
    });

  test('its letters go to press at once, and can no longer be cancelled', async () => {
    const cutoffAt = startDay(1);
    const { _id } = await scene.sendRendered();
    const later = await scene.sendRendered({ scheduledDropAt: '2027-03-02T08:00:00Z' });
    expect(await close(cutoffAt)).toEqual({ letters: 1, notRendered: 0 });
    const { status, body } = await scene.customer.http.post(`/v1/mails/${_id}/cancel`, {});
    expect([status, body.code]).toEqual([409, 'NOT_CANCELLABLE']);
    await bringToPress();
    expect(await scene.batchOf(_id)).toMatchObject({ cutoffAt, state: 'at_press', letterCount: 1 });
    expect(await scene.read(later._id)).toMatchObject({ closesAt: later.closesAt, status: 'queued' });
    expect(await entriesOf(cutoffAt)).toEqual([
      expect.objectContaining({ action: 'batch.closed-early', actor: operator, mode: 'live', detail: { letters: 1 } }),
    ]);
    expect(await close(cutoffAt)).toEqual({ letters: 0, notRendered: 0 });
    expect(await entriesOf(cutoffAt)).toHaveLength(1);
  });

  test('a letter that is sent or rendered afterwards still goes with the same cutoff', async () => {
    const cutoffAt = startDay(3);
    const early = await scene.sendRendered();
    const slow = await scene.send();
    expect(await close(cutoffAt)).toEqual({ letters: 1, notRendered: 1 });
    await bringToPress();
    await scene.render(slow);
    const after = await scene.sendRendered();
    expect(after.dropAt).toEqual(cutoffAt);
    expect((await scene.read(slow)).closesAt).toEqual(early.closesAt);
    await scene.bringToPress(after._id);
    expect(await partsAt(cutoffAt)).toEqual([
      { part: 1, letterCount: 1, state: 'at_press' },
      { part: 2, letterCount: 2, state: 'at_press' },
    ]);
    expect((await scene.read(slow)).batchId).toBe((await scene.read(after._id)).batchId);
  });

  test('a letter that nobody prints keeps its cutoff, and its sender sees no step', async () => {
    const cutoffAt = startDay(5);
    const { _id, closesAt } = await scene.sendRendered();
    scene.deps.printRules = [];
    for (let round = 0; round < 2; round += 1) {
      expect(await close(cutoffAt)).toEqual({ letters: 1, notRendered: 0 });
      await scene.collect();
      clock.advance(1_000);
    }
    scene.deps.printRules = [{ zone: null, serviceType: null, provider: 'manual' }];
    expect(await scene.read(_id)).toMatchObject({ dropAt: cutoffAt, closesAt, status: 'queued' });
    const { body } = await scene.customer.http.get(`/v1/mails/${_id}/timeline`);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['queued', 'rendered']);
    await scene.bringToPress(_id);
    expect(await scene.batchOf(_id)).toMatchObject({ cutoffAt, letterCount: 1 });
  });

  test('all of 1,001 letters are closed, with an entry for each step', async () => {
    const cutoffAt = startDay(8);
    const { _id, ...job } = await scene.sendRendered();
    const ids = Array.from({ length: 1_000 }, (_, index) => `${_id}${index}`);
    await rowsOf<MailJobRecord>(MailJob).insertMany(
      ids.map((id) => ({ ...job, _id: id, items: job.items.map((item) => ({ ...item, itemId: newId('mi') })) })),
    );
    expect(await close(cutoffAt)).toEqual({ letters: 1_001, notRendered: 0 });
    expect(await MailJob.countDocuments({ dropAt: cutoffAt, closesAt: clock.now() })).toBe(1_001);
    const counts = (await entriesOf(cutoffAt)).map(({ detail }) => detail.letters);
    expect(counts).toEqual([500, 500, 1]);
    await bringToPress();
    expect(await partsAt(cutoffAt)).toEqual([{ part: 1, letterCount: 1_001, state: 'at_press' }]);
  });

  test('a batch waits for letters that are closed with it and not due yet', async () => {
    const cutoffAt = startDay(9);
    const { _id, closesAt } = await scene.sendRendered();
    const slow = await scene.sendRendered();
    await close(cutoffAt);
    await MailJob.updateOne({ _id: slow._id }, { $set: { 'due.batch.at': closesAt } });
    await bringToPress();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'open', letterCount: 1 });
    expect(await close(cutoffAt)).toEqual({ letters: 1, notRendered: 0 });
    await bringToPress();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'at_press', letterCount: 2 });
  });

  test('a letter that a crash has left closed goes with its cutoff at the regular time', async () => {
    const cutoffAt = startDay(10);
    const early = await scene.sendRendered();
    const left = await scene.sendRendered();
    await close(cutoffAt);
    await MailJob.updateOne({ _id: left._id }, { $set: { 'due.batch.at': left.closesAt } });
    await scene.collect();
    // Longer than a batch waits.
    clock.advance(300_000);
    await scene.runBatches();
    expect(await scene.batchOf(early._id)).toMatchObject({ state: 'at_press', letterCount: 1 });
    clock.set(left.closesAt);
    await scene.collect();
    clock.advance(1_000);
    await scene.runBatches();
    expect(await scene.batchOf(left._id)).toMatchObject({ cutoffAt, part: 2, state: 'at_press' });
  });
});
