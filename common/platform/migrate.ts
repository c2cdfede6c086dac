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

/** The lease of whoever migrates, renewed while it does: one that is killed holds up the next start no longer. */
const leaseTtlMs = 30_000;
const leaseRenewMs = 10_000;
/** Building the indexes of a large installation takes minutes; whoever comes second waits this long at most. */
const patienceMs = 10 * 60_000;
const pollMs = 200;

/** Runs what has not run yet, in order, one process at a time; a second process waits for the first. */
export async function migrate(migrations: readonly Migration[], clock: Clock, log: Log): Promise<void> {
  const lease = createLease('migrations', leaseTtlMs);
  const endsAt = performance.now() + patienceMs;
  while (!(await lease.hold(clock.now()))) {
    if (performance.now() > endsAt) throw new Error('Another process has been migrating the database for 10 minutes.');
    await sleep(pollMs);
  }
  const renewal = setInterval(() => {
    lease.hold(clock.now()).catch((error: unknown) => log.warn({ err: error }, 'migration lease not renewed'));
  }, leaseRenewMs);
  try {
    for (const { number, name, run } of await findPending(migrations)) {
      await run();
      await MigrationRow.updateOne({ _id: number }, { name, ranAt: clock.now() }, { upsert: true });
      log.info({ number, migration: name }, 'migrated');
    }
  } finally {
    clearInterval(renewal);
    await lease.release();
  }
}

/** What has not run yet; not empty means that this version must not serve. */
export async function findPending(migrations: readonly Migration[]): Promise<Migration[]> {
  const ran = new Set((await MigrationRow.find().lean<MigrationRecord[]>()).map(({ _id }) => _id));
  return migrations.filter(({ number }) => !ran.has(number)).sort((left, right) => left.number - right.number);
}
