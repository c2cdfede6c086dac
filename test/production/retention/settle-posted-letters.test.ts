// Level: push
import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { setLiveStatus } from '#common/mail-jobs/lifecycle/set-live-status.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { redactOldAddresses, removeOldDocuments } from '#common/production/retention/retain.ts';
import { markReturned } from '#common/production/returns/mark-returned.ts';
import { migrations } from '#common/schema/migrations.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

const dayMs = 24 * 3_600_000;

describe('registered letters that an earlier version posted', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);

  /** Posts a registered letter to two recipients, as many of whom send it back as `returns` says, as it was stored. */
  async function post(returns: number, stored: Record<string, unknown> = {}): Promise<MailJobRecord> {
    const recipients = [aRequestAddress(), aRequestAddress()];
    const { _id } = await scene.sendRendered({ serviceType: 'registered', recipients });
    await scene.bringToPress(_id);
    await setLiveStatus({ mailJobId: _id, target: 'posted' }, world.hints, clock.now());
    const { items } = await scene.read(_id);
    for (const { itemId } of items.slice(0, returns)) {
      clock.advance(dayMs);
      const report = { itemId, reason: 'moved', by: undefined } as const;
      await markReturned(report, { hints: world.hints, at: clock.now() });
    }
    const earlier = { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: stored }] } };
    await MailJob.collection.updateOne({ _id } as object, [{ $unset: 'retention' }, earlier]);
    return await scene.read(_id);
  }

  async function migrateAgain(): Promise<void> {
    await mongoose.connection.collection<{ _id: number }>('migrations').deleteOne({ _id: 5 });
    await migrate(migrations, world.clock, world.log);
  }

  test('get the days of retention that they would have now, and are removed by them', async () => {
    const [silent, half, back] = [await post(0), await post(1), await post(2)];
    const onClock = [await post(1, { clock: { id: 'clk_a' } }), await post(2, { clock: { id: 'clk_b' } })];
    const redacted = await post(2, { redactedAt: clock.now() });
    const settled = { documentsFrom: new Date(1), addressesFrom: new Date(2) };
    const kept = await post(2, { retention: settled });
    await migrateAgain();

    const retentionOf = async ({ _id }: MailJobRecord) => (await scene.read(_id)).retention;
    const countingFrom = (at: Date) => ({ documentsFrom: at, addressesFrom: at });
    for (const job of [silent, half]) {
      expect(await retentionOf(job)).toEqual(countingFrom(plusMs(job.postedAt ?? clock.now(), 60 * dayMs)));
    }
    const lastReturnOf = ({ items }: MailJobRecord) => items[1]?.returned?.at ?? new Date(0);
    expect(await retentionOf(back)).toEqual(countingFrom(lastReturnOf(back)));
    const [open, closed] = await Promise.all(onClock.map(({ _id }) => scene.read(_id)));
    expect([open?.clock, open?.retention]).toEqual([{ id: 'clk_a' }, undefined]);
    expect(closed?.clock).toEqual({ id: 'clk_b', settledAt: closed && lastReturnOf(closed) });
    expect([await retentionOf(redacted), await retentionOf(kept)]).toEqual([undefined, settled]);

    clock.set(plusMs(lastReturnOf(back), 30 * dayMs));
    const rules = { documentDays: 30, addressDays: 30 };
    await removeOldDocuments(rules, { store: world.store, log: world.log }, clock.now());
    await redactOldAddresses(rules, clock.now());
    const { printFile, redactedAt } = await scene.read(back._id);
    expect([printFile?.removedAt, redactedAt]).toEqual([clock.now(), clock.now()]);
  });

  test('all get them, more than one read has, and no other letter', async () => {
    const like = await post(0);
    const copies = [...Array(250).keys()].map((index) => {
      const { externalId: _, ...rest } = like;
      const serviceType = index < 230 ? like.serviceType : 'standard';
      return { ...rest, _id: `${like._id}${String(index).padStart(3, '0')}`, serviceType };
    });
    await MailJob.collection.insertMany(copies as never);
    await migrateAgain();
    const ofCopies = { _id: { $in: copies.map(({ _id }) => _id) }, 'retention.addressesFrom': { $exists: true } };
    expect(await MailJob.countDocuments(ofCopies)).toBe(230);
  });
});
