// Level: push
import { Batch } from '#common/production/batches/batch.model.ts';
import { markBatch } from '#common/production/operator/mark-batch.ts';
import { markItem } from '#common/production/operator/mark-item.ts';
import { afterEach, byLevel, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress, eventKindsOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { strikeAtStep } from '#test/support/production/strike-at-step.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

/** Steps between those that are struck. */
const stride = byLevel({ quick: 8, full: 1 });

describe('the report of an operator about a batch', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const two = { recipients: ['Ada', 'Bo'].map((name) => aRequestAddress({ name })) };

  /** Brings three letters of two copies to a batch of the next working day. */
  async function aBatch() {
    do clock.advance(24 * 3_600_000);
    while ([0, 6].includes(clock.now().getUTCDay()));
    clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await scene.sendRendered(two))._id);
    for (const id of ids) await scene.bringToPress(id);
    const { _id: batchId } = await scene.batchOf(ids[0] ?? '');
    return { ids, batchId, context: { hints: world.hints, at: clock.now() } };
  }
  const letLeasesLapse = () =>
    Batch.updateMany({ 'due.press.leaseToken': { $ne: null } }, { $set: { 'due.press.leaseUntil': new Date(0) } });

  async function expectPosted({ ids, batchId }: { ids: readonly string[]; batchId: string }): Promise<void> {
    const batch = await Batch.findById(batchId).orFail().lean();
    expect(batch).toMatchObject({ state: 'posted', due: {} });
    expect(batch).not.toHaveProperty('marking');
    for (const id of ids) {
      const { status, items } = await scene.read(id);
      expect([status, ...items.map((item) => item.status)]).toEqual(['posted', 'posted', 'posted']);
      expect((await eventKindsOf(id)).filter((kind) => kind === 'MAIL_POSTED')).toHaveLength(1);
    }
  }
  // Of all steps together: nothing repairs a violation, and each look reads the whole ledger.
  afterEach(async () => expect(await findViolations()).toEqual([]));

  test('a worker that dies at any step leaves nothing undone', async () => {
    for (let nth = 1, step: string | null = ''; step !== null; nth += stride) {
      const { ids, batchId, context } = await aBatch();
      await markBatch(batchId, 'posted', undefined, context);
      clock.advance(60_000);
      step = await strikeAtStep(nth, { kind: 'death' }, () => scene.runBatches());
      await letLeasesLapse();
      clock.advance(60_000);
      await scene.runBatches();
      await expectPosted({ ids, batchId });
    }
  });

  test('a later report is recorded too, at whichever step of the first it comes', async () => {
    for (let nth = 1, step: string | null = ''; step !== null; nth += stride) {
      const { ids, batchId, context } = await aBatch();
      await markBatch(batchId, 'printed', undefined, context);
      const meanwhile = () => markBatch(batchId, 'posted', undefined, context);
      step = await strikeAtStep(nth, { kind: 'pause', meanwhile }, () => scene.runBatches());
      if (step === null) await meanwhile();
      await scene.runBatches();
      await expectPosted({ ids, batchId });
    }
  });

  test('a scan of the last item meanwhile does not end it', async () => {
    const { ids, batchId, context } = await aBatch();
    await markBatch(batchId, 'posted', undefined, context);
    for (const id of ids) {
      for (const { itemId } of (await scene.read(id)).items)
        await markItem({ itemId, mark: 'printed', by: undefined }, context);
    }
    await scene.runBatches();
    await expectPosted({ ids, batchId });
  });
});
