import type { AuditActor } from '#common/audit/audit.model.ts';
import type { Clock } from '#common/clock.ts';
import { drainInParallel } from '#common/platform/concurrency/in-parallel.ts';
import { markUnfinishedRestore, migrate, removeRestoreMark } from '#common/platform/mongo/migrate.ts';
import { dropCollection, hasRows, listCollectionNames } from '#common/platform/mongo/raw-rows.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { createCollections, migrations } from '#common/schema/migrations.ts';
import type { KeyRing } from '#common/secrets.ts';
import { OperatorError } from '../program/operator-error.ts';
import { objectPathOf, objectsFolderOf } from './backup-folder.ts';
import { checkBackup, listObjects } from './check-backup.ts';
import type { ListedObject } from './copy-objects.ts';
import { leaseCollection, loadRows, migrationCollection, requireAllRows } from './dump-rows.ts';
import type { BackupManifest } from './manifest.schema.ts';
import { type SettledRestore, settleRestored } from './settle-restored.ts';

export type RestoreOptions = {
  /** The folder of the backup. */
  folder: string;
  /** Null leaves the objects to the tools of the store. */
  store: ObjectStore | null;
  /** Whether the bucket may have uploads or print files, which a restore replaces. */
  intoUsedBucket: boolean;
  keyRing: KeyRing;
  clock: Clock;
  /** For the audit log. */
  actor: AuditActor;
  log: Log;
};

export type RestoredBackup = {
  /** The moment of the rows. What happened later is not in the database. */
  takenAt: string;
  rows: number;
  /** `stored`: those that the bucket did not have. */
  objects: { count: number; stored: number } | null;
  seconds: number;
} & SettledRestore;

/**
 * Restores a backup into the connected database, which must be empty, and into the bucket. Checks everything first, and
 * may be repeated until the rows are begun. Throws OperatorError with what to do.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { folder, store, intoUsedBucket, keyRing, clock, actor, log } = options;
  const startedMs = performance.now();
  await requireEmptyDatabase();
  if (store && !intoUsedBucket) await requireUnusedBucket(store);
  const manifest = await checkBackup(folder, keyRing, { withoutObjects: store === null });
  const objects = store && (await storeObjects(folder, manifest, store));
  // Indexes are faster to build when the rows are there. What a start or `migrate` created beforehand has none.
  for (const name of await listCollectionNames()) await dropCollection(name);
  const isLast = ({ name }: { name: string }) => name === migrationCollection;
  const rest = manifest.collections.filter((collection) => !isLast(collection));
  await markUnfinishedRestore(clock.now());
  for (const collection of rest) await loadRows(folder, collection);
  // By a majority, so that a change of the primary can lose none of the rows that are counted then.
  await markUnfinishedRestore(clock.now());
  await requireAllRows(rest);
  await createCollections();
  const settled = await settleRestored(actor, clock.now());
  await removeRestoreMark();
  const last = manifest.collections.filter(isLast);
  for (const collection of last) await loadRows(folder, collection);
  await requireAllRows(last);
  await migrate(migrations, clock, log);
  return {
    takenAt: manifest.startedAt,
    rows: manifest.collections.reduce((total, { rows }) => total + rows, 0),
    objects,
    ...settled,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  };
}

/** Throws OperatorError when there is more than what `migrate` and a start without requests leave. */
async function requireEmptyDatabase(): Promise<void> {
  const mayHaveRows = [migrationCollection, leaseCollection, 'chores'];
  const filled: string[] = [];
  for (const name of await listCollectionNames()) {
    if (!mayHaveRows.includes(name) && (await hasRows(name))) filled.push(name);
  }
  if (filled.length === 0) return;
  throw new OperatorError(
    `The database is not empty (${filled.slice(0, 5).join(', ')}): a restore would mix two installations. Set MONGODB_URI to an empty database. If a restore into this one was interrupted, stop everything that uses it, drop it, and restore again.`,
  );
}

/** The prefixes of uploads and print files. */
const usedPrefixes = ['u/', 'p/'];

/** Throws OperatorError when the bucket has objects of an installation: a drill must not change those of production. */
async function requireUnusedBucket(store: ObjectStore): Promise<void> {
  for (const prefix of usedPrefixes) {
    for await (const { key } of store.list(prefix, 1)) {
      throw new OperatorError(
        `The bucket is not empty (${key}): a restore would replace objects in it, and put back what was removed since the backup. Set S3_BUCKET to an empty bucket. Only if this is the bucket of the lost installation, or you repeat a restore into it, add --into-used-bucket.`,
      );
    }
  }
}

const lanes = 8;

async function storeObjects(
  folder: string,
  manifest: BackupManifest,
  store: ObjectStore,
): Promise<{ count: number; stored: number }> {
  const objectsFolder = objectsFolderOf(folder);
  let count = 0;
  let stored = 0;
  async function put(listed: ListedObject): Promise<null> {
    const { key, md5, sizeBytes, contentType } = listed;
    count += 1;
    const there = await store.head(key);
    if (there?.etag === `"${md5}"` && there.sizeBytes === sizeBytes) return null;
    const path = objectPathOf(objectsFolder, listed);
    const { etag } = await store.putFile({ key, path, contentType: contentType ?? 'application/octet-stream' });
    stored += 1;
    // Letters that are not rendered yet name the ETags of their files.
    if (etag === `"${md5}"`) return null;
    throw new OperatorError(
      `The object store gave ${key} another ETag than the MD5 sum of its content, as with SSE-KMS encryption. Letters would not find their files. Use a bucket without it.`,
    );
  }
  for await (const _ of drainInParallel(listObjects(folder, manifest), put, lanes));
  return { count, stored };
}
