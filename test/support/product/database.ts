import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';

/** Databases with all collections and indexes and without rows. Building one takes a second, emptying it 30 ms. */
const empty: string[] = [];

/** A larger database is dropped: deleting its rows would take longer than building the indexes of a new one. */
const mostRows = 10_000;

/** Returns the name of a database for one test file: an emptied one of this process, or a new one. */
export function takeDatabase(): string {
  return empty.pop() ?? `t-${randomUUID().slice(0, 12)}`;
}

/** Empties the connected database for the next test file of this process. Nothing may write to it any more. */
export async function returnDatabase(): Promise<void> {
  const { db, name } = mongoose.connection;
  if (!db) return;
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map((collection) => collection.name);
  const collections = names.filter((collection) => collection !== 'migrations').map((each) => db.collection(each));
  const counts = await Promise.all(collections.map((collection) => collection.estimatedDocumentCount()));
  const rows = counts.reduce((sum, count) => sum + count, 0);
  // The profiler's rows cannot be deleted.
  if (rows > mostRows || names.includes('system.profile')) {
    await mongoose.connection.dropDatabase();
    return;
  }
  const used = collections.filter((_, index) => counts[index] !== 0);
  await Promise.all(used.map((collection) => collection.deleteMany({})));
  empty.push(name);
}
