// Level: push
import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { findPending, migrate, readRanMigrations } from '#common/platform/mongo/migrate.ts';
import { migrations } from '#common/schema/migrations.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('migrations of a database', () => {
  const world = startWorld({ hasTariffs: false });
  const leases = () => mongoose.connection.collection<{ _id: string }>('leases');
  const records = () => mongoose.connection.collection<{ _id: number; name: string }>('migrations');

  test('the numbers of migrations have no gap, so a version knows those of all versions before it', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  });

  test('an interrupted migration runs again and builds the same indexes', async () => {
    const indexes = async () => (await MailJob.collection.indexes()).map(({ name }) => name).sort();
    const complete = await indexes();
    await MailJob.collection.dropIndexes();
    await records().deleteOne({ _id: 1 });
    expect(await findPending(migrations)).toHaveLength(1);
    await migrate(migrations, world.clock, world.log);
    expect(await indexes()).toEqual(complete);
    expect(await findPending(migrations)).toEqual([]);
  });

  test('a new database in one pass has the indexes of one upgraded version by version', async () => {
    const readIndexes = async () => {
      const collections = (await mongoose.connection.db?.collections()) ?? [];
      const named = collections.map(async (each) => [each.collectionName, await each.indexes()] as const);
      return Object.fromEntries(await Promise.all(named));
    };
    await mongoose.connection.dropDatabase();
    for (const { number } of migrations) await migrate(migrations.slice(0, number), world.clock, world.log);
    const upgraded = await readIndexes();

    await mongoose.connection.dropDatabase();
    await migrate(migrations, world.clock, world.log);
    expect(await readRanMigrations()).toEqual(migrations.map(({ number, name }) => ({ number, name })));
    expect(await readIndexes()).toEqual(upgraded);
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

  test('migration numbers are unique and ascending', () => {
    const numbers = migrations.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
  });
});
