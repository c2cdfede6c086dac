import mongoose from 'mongoose';

/** One entry of MongoDB's profiler. */
export type Profiled = {
  ns: string;
  op: string;
  planSummary?: string;
  hasSortStage?: boolean;
  docsExamined?: number;
  keysExamined?: number;
  nreturned?: number;
  command?: Record<string, unknown>;
  /** The command that opened the cursor, of a getMore. */
  originatingCommand?: { pipeline?: Record<string, unknown>[] };
};

/** Enough for every operation of a test file. By default, the server keeps only a megabyte. */
const profileBytes = 64 * 1024 * 1024;

/** Records every operation on this world's database from now on. */
export async function startProfiling(): Promise<void> {
  const { db } = mongoose.connection;
  const isThere = (await db?.listCollections({ name: 'system.profile' }).toArray())?.length === 1;
  if (!isThere) await db?.createCollection('system.profile', { capped: true, size: profileBytes });
  await db?.command({ profile: 2 });
}

/** Returns the operations that scanned a whole collection, which no operation of the product may do. */
export function scansOf(profiled: readonly Profiled[]): string[] {
  const scans = profiled.filter(
    ({ ns, planSummary = '' }) => /COLLSCAN/.test(planSummary) && !/system.profile$/.test(ns),
  );
  return scans.map(({ ns, command }) => `${ns} ${JSON.stringify(command)}`);
}

/** Stops the profiler. Returns all entries since the first start, oldest first. */
export async function stopProfiling(): Promise<Profiled[]> {
  await mongoose.connection.db?.command({ profile: 0 });
  return await mongoose.connection.collection<Profiled>('system.profile').find().toArray();
}
