import mongoose from 'mongoose';

/** One line of MongoDB's profiler. */
export type Profiled = {
  ns: string;
  op: string;
  planSummary?: string;
  hasSortStage?: boolean;
  docsExamined?: number;
  nreturned?: number;
  command?: Record<string, unknown>;
};

/** Room for every operation of a test file: the collection of the server's own making forgets after a megabyte. */
const profileBytes = 64 * 1024 * 1024;

/** Writes down each operation of this world's database from here on. */
export async function startProfiling(): Promise<void> {
  const { db } = mongoose.connection;
  const isThere = (await db?.listCollections({ name: 'system.profile' }).toArray())?.length === 1;
  if (!isThere) await db?.createCollection('system.profile', { capped: true, size: profileBytes });
  await db?.command({ profile: 2 });
}

/** Stops it; all that was written down since the first start, the oldest first. */
export async function stopProfiling(): Promise<Profiled[]> {
  await mongoose.connection.db?.command({ profile: 0 });
  return await mongoose.connection.collection<Profiled>('system.profile').find().toArray();
}
