// Level: push
import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Chore } from '#common/platform/due-work/chore.model.ts';
import { findPending, migrate, readRanMigrations } from '#common/platform/mongo/migrate.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { migrations } from '#common/schema/migrations.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createListed, readListedIndexes } from '#test/support/project/listed-indexes.ts';

const known = migrations.map(({ number }) => number);

describe('migrations of a database', () => {
  const world = startWorld({ hasTariffs: false });
  const leases = () => mongoose.connection.collection<{ _id: string }>('leases');
  const records = () => mongoose.connection.collection<{ _id: number; name: string }>('migrations');

  test('the numbers of migrations have no gap, so a version knows those of all versions before it', () => {
    expect(known).toEqual(known.map((_, index) => 100 + index));
  });

  test('an interrupted migration runs again and builds the same indexes', async () => {
    const indexes = async () => (await MailJob.collection.indexes()).map(({ name }) => name).sort();
    const complete = await indexes();
    await MailJob.collection.dropIndexes();
    await records().deleteMany({ _id: { $in: known } });
    expect(await findPending(migrations)).toHaveLength(known.length);
    await migrate(migrations, world.clock, world.log);
    expect(await indexes()).toEqual(complete);
    expect(await findPending(migrations)).toEqual([]);
  });

  const readIndexes = async () => {
    const collections = (await mongoose.connection.db?.collections()) ?? [];
    const of = async (each: mongoose.mongo.Collection) =>
      (await each.indexes()).map((index) => `${each.collectionName} ${JSON.stringify(index)}`);
    return (await Promise.all(collections.map(of))).flat().sort();
  };
  const recordOnly = async (numbers: readonly number[]) => {
    await records().deleteMany({});
    await records().insertMany(numbers.map((_id) => ({ _id, name: 'of an installation', ranAt: new Date() })));
  };

  test('an installation gets the indexes of a new one, whichever migration it has had last', async () => {
    await mongoose.connection.dropDatabase();
    await migrate(migrations, world.clock, world.log);
    expect(await readRanMigrations()).toEqual(migrations.map(({ number, name }) => ({ number, name })));
    const latest = await readIndexes();
    for (const last of known) {
      await mongoose.connection.dropDatabase();
      for (const { number, index } of readListedIndexes()) if (number <= last) await createListed(index);
      await recordOnly(known.filter((number) => number <= last));
      await migrate(migrations, world.clock, world.log);
      expect(await readIndexes()).toEqual(latest);
    }
  });

  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

  test.each([8, 11])('a database of a commit that had migrations 1 to %i works after the baseline', async (last) => {
    const latest = await readIndexes();
    await recordOnly(upTo(last));
    await mongoose.connection.dropCollection('idempotency_keys');
    const formerKey = { cutoffAt: 1, provider: 1, zone: 1, serviceType: 1, format: 1, window: 1, color: 1 } as const;
    await Batch.collection.createIndex({ ...formerKey, acknowledgmentReceipt: 1, part: 1 }, { unique: true });
    await Chore.collection.insertOne({ _id: 'kept' } as never);

    expect(await findPending(migrations)).toHaveLength(known.length);
    await migrate(migrations, world.clock, world.log);
    expect(await readIndexes()).toEqual(latest);
    expect(await Chore.collection.countDocuments({ _id: 'kept' } as object)).toBe(1);
    expect(await findPending(migrations)).toEqual([]);
    await Chore.collection.deleteMany({});
  });

  test.each([
    ['1 to 7', upTo(7)],
    ['1 to 12', upTo(12)],
    ['9 to 11', [9, 10, 11]],
  ])('a database of a commit that had migrations %s is refused and left unchanged', async (_, numbers) => {
    await recordOnly(numbers);
    const before = await readIndexes();
    await expect(migrate(migrations, world.clock, world.log)).rejects.toThrow(
      /does not know migrations .*common.schema/,
    );
    expect(await readIndexes()).toEqual(before);
    expect((await readRanMigrations()).map(({ number }) => number)).toEqual(numbers);
    await recordOnly(known);
  });

  test('a step that several pending migrations share runs once, in its first place', async () => {
    const ran: string[] = [];
    const shared = async () => void ran.push('shared');
    const shares = [
      { number: 300, name: 'first', steps: [shared] },
      { number: 301, name: 'data', steps: [async () => void ran.push('data')] },
      { number: 302, name: 'again', steps: [shared, async () => void ran.push('last')] },
    ];
    await migrate([...migrations, ...shares], world.clock, world.log);
    expect(ran).toEqual(['shared', 'data', 'last']);
    expect(await records().countDocuments({ _id: { $gte: 300 } })).toBe(3);
    await records().deleteMany({ _id: { $gte: 300 } });
  });

  test('a process that has lost its lease runs no further migration', async () => {
    const ran: number[] = [];
    const steal = async () => {
      ran.push(200);
      const taken = { token: 'another process', until: plusMs(new Date(), 60_000) };
      await leases().updateOne({ _id: 'migrations' }, { $set: taken });
    };
    const pending = [
      ...migrations,
      { number: 200, name: 'slow', steps: [steal] },
      { number: 201, name: 'next', steps: [async () => void ran.push(201)] },
    ];
    await expect(migrate(pending, world.clock, world.log)).rejects.toThrow('Another process has taken over');
    expect(ran).toEqual([200]);
    await leases().deleteOne({ _id: 'migrations' });
    await records().deleteMany({ _id: { $gte: 200 } });
  });

  test('a database with unknown migrations is refused by name and left unchanged', async () => {
    await records().insertOne({ _id: 99, name: 'from the future' });
    await expect(migrate(migrations, world.clock, world.log)).rejects.toThrow(/does not know .*99 \(from the future\)/);
    await records().deleteOne({ _id: 99 });
    await migrate(migrations, world.clock, world.log);
  });
});
