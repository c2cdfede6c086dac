import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { findPending, migrate } from '#common/platform/mongo/migrate.ts';
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

  test('a process that has lost its lease runs no further migration', async () => {
    const ran: number[] = [];
    const steal = async () => {
      ran.push(200);
      const taken = { token: 'another process', until: plusMs(new Date(), 60_000) };
      await leases().updateOne({ _id: 'migrations' }, { $set: taken });
    };
    const pending = [
      ...migrations,
      { number: 200, name: 'slow', run: steal },
      { number: 201, name: 'next', run: async () => void ran.push(201) },
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
