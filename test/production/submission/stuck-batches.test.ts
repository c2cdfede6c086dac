// Level: push
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord, pressWork } from '#common/production/batches/batch.model.ts';
import { collectDueJobs } from '#common/production/batches/collect-jobs.ts';
import { pollMs } from '#common/production/submission/press-steps.ts';
import { runBatch } from '#common/production/submission/run-batch.ts';
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aPress } from '#test/support/production/a-press.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

describe('a batch that nobody and nothing moves on', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const press = aPress();
  const printRules = [{ zone: null, serviceType: null, provider: 'cups' }] as const;
  const scene = startPressScene(world, clock, { printRules, providers: { cups: press.provider } });
  const { signal } = new AbortController();
  beforeEach(() => {
    do clock.advance(24 * 3_600_000);
    while ([0, 6].includes(clock.now().getUTCDay()));
    clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
  });

  test('after an outage at the closing, letters beyond the first 100 still go with their cutoff', async () => {
    const first = await scene.sendRendered();
    const copies = Array.from({ length: 150 }, () => ({
      ...first,
      _id: newId('mj'),
      items: first.items.map((item) => ({ ...item, itemId: newId('mi') })),
    }));
    await rowsOf<MailJobRecord>(MailJob).insertMany(copies);
    // The worker was away for ten minutes. The cutoff is in eighty.
    clock.set(new Date(first.closesAt.getTime() + 600_000));
    await collectDueJobs(scene.deps);
    clock.advance(1_000);
    await scene.runBatches();
    await scene.collect();
    const late = { _id: { $in: copies.map(({ _id }) => _id) }, dropAt: { $gt: first.dropAt } };
    expect(await MailJob.countDocuments(late)).toBe(0);
  });

  test('a print file that the store has lost is reported to the operator', async () => {
    const [lost, other] = [await scene.sendRendered(), await scene.sendRendered()];
    await world.store.delete(lost.printFile!.s3Key);
    clock.set(lost.closesAt);
    await scene.collect();
    clock.advance(1_000);
    const { batchId = '' } = await scene.read(other._id);
    for (let hour = 0; hour < 5; hour += 1) {
      const claim = await claimDue<BatchRecord>(pressWork, batchId, clock.now());
      await runBatch(claim!, scene.deps, signal).catch(() => undefined);
      const free = { 'due.press.leaseToken': null, 'due.press.leaseUntil': null, 'due.press.at': clock.now() };
      await Batch.updateOne({ _id: batchId, 'due.press': { $exists: true } }, { $set: free });
    }
    const { state, problem } = await scene.batchOf(other._id);
    await Batch.updateOne({ _id: batchId }, { $unset: { 'due.press': '' } });
    expect([state, problem]).toEqual(['closed', expect.stringContaining(lost.items[0]!.itemId)]);
  });

  test('a press that fails without effect is asked again after a pause', async () => {
    const { _id } = await scene.sendRendered();
    let calls = 0;
    const failing = {
      ...press.provider,
      prepare: async () => async () => {
        calls += 1;
        if (calls > 20) throw new Error('A loop without a pause');
        throw new Error('The object store is away');
      },
      locate: async () => 'not_taken' as const,
    };
    clock.set((await scene.read(_id)).closesAt);
    await scene.collect();
    clock.advance(1_000);
    const { batchId = '' } = await scene.read(_id);
    const deps = { ...scene.deps, providers: { ...scene.deps.providers, cups: failing } };
    for (let run = 0; run < 10; run += 1) {
      const claim = await claimDue<BatchRecord>(pressWork, batchId, clock.now());
      if (claim) await runBatch(claim, deps, signal);
    }
    expect(calls).toBe(1);
  });

  test('a batch at a press whose setting is missing for a while is followed again afterwards', async () => {
    const { _id } = await scene.sendRendered();
    await scene.bringToPress(_id);
    const without = { ...scene.deps, providers: { ...scene.deps.providers, cups: null } };
    const { batchId = '' } = await scene.read(_id);
    clock.advance(pollMs);
    const claim = await claimDue<BatchRecord>(pressWork, batchId, clock.now());
    await runBatch(claim!, without, signal);
    expect((await scene.batchOf(_id)).due.press).toBeDefined();
  });

  test('a copy that the press reports as failed after it was printed is refunded, or the operator is told', async () => {
    // Batches of the other tests would take the results.
    await Batch.updateMany({}, { $unset: { 'due.press': '' } });
    const two = { recipients: [aRequestAddress(), aRequestAddress({ name: 'Bo' })] };
    const { _id, items } = await scene.sendRendered(two);
    await scene.bringToPress(_id);
    const [{ itemId } = { itemId: '' }] = items;
    for (const result of [
      { itemId, result: 'printed' } as const,
      { itemId, result: 'failed', reason: 'Torn in the folder.' } as const,
    ]) {
      press.results.push(result);
      clock.advance(pollMs);
      await scene.runBatches();
    }
    const { problem } = await scene.batchOf(_id);
    expect(problem ?? (await scene.read(_id)).items[0]?.status).not.toBe('printed');
  });
});
