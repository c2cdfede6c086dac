import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { Schema } from 'mongoose';
import type { Clock } from '../clock.ts';
import { createLease } from './lease.model.ts';
import type { Log } from './log.ts';
import { modelOptions } from './model-options.ts';

/** One numbered, repeatable change of the database's shape. */
export type Migration = { number: number; name: string; run(): Promise<void> };

type MigrationRecord = { _id: number; name: string; ranAt: Date };

const schema = new Schema<MigrationRecord>(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    ranAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'migrations' },
);

const MigrationRow = mongoose.model('Migration', schema);

/** Building the indexes of a large installation takes minutes; whoever comes second waits that long at most. */
const lockMs = 10 * 60_000;
const pollMs = 200;

/** Runs what has not run yet, in order, one process at a time; a second process waits for the first. */
export async function migrate(migrations: readonly Migration[], clock: Clock, log: Log): Promise<void> {
  const lease = createLease('migrations', lockMs);
  const endsAt = performance.now() + lockMs;
  while (!(await lease.hold(clock.now()))) {
    if (performance.now() > endsAt) throw new Error('Another process has been migrating the database for 10 minutes.');
    await sleep(pollMs);
  }
  try {
    for (const { number, name, run } of await findPending(migrations)) {
      await run();
      await MigrationRow.updateOne({ _id: number }, { name, ranAt: clock.now() }, { upsert: true });
      log.info({ number, migration: name }, 'migrated');
    }
  } finally {
    await lease.release();
  }
}

/** What has not run yet; not empty means that this version must not serve. */
export async function findPending(migrations: readonly Migration[]): Promise<Migration[]> {
  const ran = new Set((await MigrationRow.find().lean<MigrationRecord[]>()).map(({ _id }) => _id));
  return migrations.filter(({ number }) => !ran.has(number)).sort((left, right) => left.number - right.number);
}
