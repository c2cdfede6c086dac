import mongoose from 'mongoose';
import type { Clock } from '#common/clock.ts';
import { pollUntil } from '../concurrency/poll-until.ts';
import type { Log } from '../process/log.ts';
import { createLease, whileLeased } from './lease.model.ts';
import * as row from './row.ts';
import type { Snapshot } from './snapshot.ts';

/** One numbered change of the database's schema, as idempotent steps that run in order. */
export type Migration = {
  number: number;
  name: string;
  steps: readonly (() => Promise<void>)[];
  /** Numbers of former migrations. A database that has had `all` of them can be migrated, also with `some` of the others. */
  replaces?: { all: readonly number[]; some: readonly number[] };
};
type RanMigration = Pick<Migration, 'number' | 'name'>;

const fields = { _id: row.number, name: row.text, ranAt: row.date };
type MigrationRecord = row.RecordOf<typeof fields>;

const MigrationRow = mongoose.model('Migration', row.schemaOf('migrations', fields));

/** The migrating process renews its lease. A killed one blocks the next start for this long at most. */
const leaseMs = 30_000;
/** The longest wait for another process. Building the indexes of a large installation takes minutes. */
const maxWaitMs = 10 * 60_000;
const pollMs = 200;

/**
 * Runs the pending migrations in order, one process at a time. A second process waits for the first. A step that several
 * of them have runs once, with the first: a new database gets its collections in one pass.
 * Throws when the database has migrations that this version does not know, and before the next migration when another
 * process has taken over.
 */
export async function migrate(migrations: readonly Migration[], clock: Clock, log: Log): Promise<void> {
  const lease = createLease('migrations', leaseMs);
  if (!(await pollUntil(lease.hold, { everyMs: pollMs, withinMs: maxWaitMs })))
    throw new Error(
      'Another process has been migrating the database for 10 minutes. Wait for it to end, then start again.',
    );
  const runAll = async () => {
    await requireKnown(migrations);
    const done = new Set<() => Promise<void>>();
    for (const { number, name, steps } of await findPending(migrations)) {
      if (!(await lease.hold())) throw new Error('Another process has taken over the migrations. Start again.');
      for (const step of steps) {
        if (!done.has(step)) await step();
        done.add(step);
      }
      await MigrationRow.updateOne({ _id: number }, { name, ranAt: clock.now() }, { upsert: true });
      log.info({ number, migration: name }, 'migration applied');
    }
  };
  await whileLeased({ renew: lease.hold, leaseMs, log, about: { lease: 'migrations' } }, runAll).finally(lease.release);
}

/** Returns the migrations that the database has had, in order, also those that this version does not know. */
export async function readRanMigrations(snapshot?: Snapshot): Promise<RanMigration[]> {
  const ran = await MigrationRow.find()
    .session(snapshot ?? null)
    .sort({ _id: 1 })
    .lean<MigrationRecord[]>();
  return ran.map(({ _id: number, name }) => ({ number, name }));
}

/** Returns the migrations of a database that this version does not know, as `number (name)`. */
export function listUnknown(ran: readonly RanMigration[], migrations: readonly Migration[]): string[] {
  const numbers = new Set(ran.map(({ number }) => number));
  const known = new Set(migrations.map(({ number }) => number));
  for (const { replaces } of migrations) {
    if (replaces?.all.every((number) => numbers.has(number)))
      for (const number of [...replaces.all, ...replaces.some]) known.add(number);
  }
  return ran.filter(({ number }) => !known.has(number)).map(({ number, name }) => `${number} (${name})`);
}

async function requireKnown(migrations: readonly Migration[]): Promise<void> {
  const unknown = listUnknown(await readRanMigrations(), migrations);
  if (unknown.length === 0) return;
  throw new Error(
    `This version does not know migrations of the database: ${unknown.join(', ')}. ` +
      'Start the version that ran them. The README of common/schema says which databases of earlier commits are accepted.',
  );
}

/** Returns the pending migrations, in order. While there are any, this version must not serve. */
export async function findPending(migrations: readonly Migration[]): Promise<Migration[]> {
  const ran = new Set((await MigrationRow.find().lean<MigrationRecord[]>()).map(({ _id }) => _id));
  return migrations.filter(({ number }) => !ran.has(number)).sort((left, right) => left.number - right.number);
}

/** A migration that no version knows: `migrate` refuses such a database, and so API and workers do not start on it. */
const restoreMark = { _id: 999_999, name: 'restore not completed' };
const storedMigrations = () => mongoose.connection.collection<{ _id: number }>(MigrationRow.collection.name);
const durable = { writeConcern: { w: 'majority', j: true } } as const;

/** Marks a database whose rows are not all restored. Returns when a majority has stored this and all earlier writes. */
export async function markUnfinishedRestore(at: Date): Promise<void> {
  const { _id, ...rest } = restoreMark;
  await storedMigrations().updateOne({ _id }, { $set: { ...rest, ranAt: at } }, { upsert: true, ...durable });
}

/** Removes the mark of an unfinished restore. */
export async function removeRestoreMark(): Promise<void> {
  await storedMigrations().deleteOne({ _id: restoreMark._id }, durable);
}
