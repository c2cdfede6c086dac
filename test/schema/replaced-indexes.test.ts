// Level: push
import mongoose from 'mongoose';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { replacedIndexes } from '#common/schema/drop-replaced-indexes.ts';
import { migrations } from '#common/schema/migrations.ts';
import { expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const world = startWorld({ hasTariffs: false });

test('an upgrade replaces each unique index by one that begins with the organization or wallet, also twice', async () => {
  const uniqueKeys = async (collection: string) =>
    (await mongoose.connection.collection(collection).indexes()).flatMap(({ unique, key }) => (unique ? [key] : []));
  const applied = mongoose.connection.collection<{ _id: number }>('migrations');
  for (const { collection, key } of replacedIndexes) {
    await mongoose.connection.collection(collection).createIndex(key, { unique: true });
    const successor = (await uniqueKeys(collection)).find((each) => Object.keys(key).every((field) => field in each));
    expect(successor).toBeDefined();
  }
  for (let time = 0; time < 2; time += 1) {
    await applied.deleteOne({ _id: 7 });
    await migrate(migrations, world.clock, world.log);
  }
  for (const { collection, key } of replacedIndexes) {
    const [first] = { ledger_entries: ['walletId'], batches: Object.keys(key) }[collection] ?? ['organizationId'];
    const keys = await uniqueKeys(collection);
    expect(keys).not.toContainEqual(key);
    expect(
      keys.filter((each) => Object.keys(key).every((field) => field in each)).map((each) => Object.keys(each)[0]),
    ).toEqual([first]);
  }
});
