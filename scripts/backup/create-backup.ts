import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '#common/clock.ts';
import { recordBackup } from '#common/operations/backup-age.ts';
import { readRanMigrations } from '#common/platform/mongo/migrate.ts';
import { clusterTimeOf, isSnapshotLost, readSnapshotWindowS } from '#common/platform/mongo/raw-rows.ts';
import { inSnapshot } from '#common/platform/mongo/snapshot.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { KeyRing } from '#common/secrets.ts';
import { OperatorError } from '../program/operator-error.ts';
import { createBackupFolder, fileMode, manifestName, objectListName, objectsFolderOf } from './backup-folder.ts';
import { copyObjects } from './copy-objects.ts';
import { dumpRows } from './dump-rows.ts';
import { BackupManifest, formatVersion } from './manifest.schema.ts';
import { requireFittingKeys, sealManifest } from './seal-manifest.ts';
import { readNamedObjects, spoolNamedObjects } from './stored-objects.ts';
import { syncToDisk, writeCompressed } from './write-file.ts';

/** Exists during a backup only. */
const spoolName = 'named.jsonl.gz';

export type CreateOptions = {
  /** The folder of all backups. */
  root: string;
  /** Null leaves the objects to the tools of the store. */
  store: ObjectStore | null;
  keyRing: KeyRing;
  clock: Clock;
};

export type CreatedBackup = {
  folder: string;
  rows: number;
  sizeBytes: number;
  /** How long rows were read, and how long the database keeps a snapshot. Null when this user may not ask. */
  snapshotSeconds: number;
  snapshotWindowSeconds: number | null;
  seconds: number;
  /** Null when they were left out. `copied`: those that no earlier backup had. `lost`: those that letters need. */
  objects: { count: number; copied: number; missing: number; lost: string[] } | null;
};

/**
 * Creates a backup while the service runs: all rows as they were at one moment, then the objects that they name. A failed
 * one leaves no folder. One with lost objects is not recorded, so that the alert on the age of backups still fires. Throws
 * OperatorError with what to do. Throws, too, when the backup is complete and the database does not take note of its
 * time.
 */
export async function createBackup(options: CreateOptions): Promise<CreatedBackup> {
  const startedAt = options.clock.now();
  const created = await writeBackup(startedAt, options);
  if ((created.objects?.lost.length ?? 0) === 0) await recordBackup(startedAt);
  return created;
}

async function writeBackup(startedAt: Date, { root, store, keyRing, clock }: CreateOptions): Promise<CreatedBackup> {
  const startedMs = performance.now();
  const { path, complete } = await createBackupFolder(root, startedAt);
  try {
    const snapshotWindowSeconds = await readSnapshotWindowS();
    const { collections, migrations, clusterTime } = await dumpSnapshot(path, startedAt, snapshotWindowSeconds);
    const snapshotSeconds = secondsSince(startedMs);
    const { list, copied } = await copyNamedObjects(path, objectsFolderOf(complete), store);
    const manifest = {
      formatVersion,
      startedAt: startedAt.toISOString(),
      finishedAt: clock.now().toISOString(),
      clusterTime,
      migrations,
      collections,
      objects: list,
    } as const;
    const text = `${JSON.stringify(sealManifest(manifest, keyRing), null, 2)}\n`;
    // Fails now rather than at the restore, if this version could not read what it writes.
    requireFittingKeys(BackupManifest.parse(JSON.parse(text)), keyRing);
    await writeManifest(path, text);
    await rename(path, complete);
    await syncToDisk(root);
    const { count, missing, lost } = list;
    return {
      folder: complete,
      rows: sum(collections, ({ rows }) => rows),
      sizeBytes: sum(collections, ({ sizeBytes }) => sizeBytes),
      ...{ snapshotSeconds, snapshotWindowSeconds, seconds: secondsSince(startedMs) },
      objects: store && { count, copied, missing, lost },
    };
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}

/** Writes the rows and the names of the objects, from one snapshot. */
async function dumpSnapshot(path: string, at: Date, windowS: number | null) {
  try {
    return await inSnapshot(async (snapshot) => {
      const collections = await dumpRows(path, snapshot);
      const migrations = await readRanMigrations(snapshot);
      await spoolNamedObjects(join(path, spoolName), snapshot, at);
      const { high, low } = clusterTimeOf(snapshot);
      return { collections, migrations, clusterTime: `${high >>> 0}:${low >>> 0}` };
    });
  } catch (error) {
    if (isSnapshotLost(error)) throw snapshotLost(windowS);
    throw error;
  }
}

async function copyNamedObjects(path: string, objectsFolder: string, store: ObjectStore | null) {
  const spool = join(path, spoolName);
  try {
    if (store) return await copyObjects({ objects: readNamedObjects(spool), store, folder: path, objectsFolder });
    const written = await writeCompressed(join(path, objectListName), Readable.from([]));
    return { list: { file: objectListName, ...written, count: 0, objectBytes: 0, missing: 0, lost: [] }, copied: 0 };
  } finally {
    await rm(spool, { force: true });
  }
}

async function writeManifest(path: string, text: string): Promise<void> {
  await writeFile(join(path, manifestName), text, { flag: 'wx', mode: fileMode, flush: true });
  await syncToDisk(path);
}

function snapshotLost(windowS: number | null): OperatorError {
  const kept = windowS === null ? 'The database' : `The database keeps a snapshot for ${windowS} s, and`;
  return new OperatorError(
    `${kept} no longer had the moment of the backup before all rows were read. Let it keep snapshots for longer, as an administrator of MongoDB on every member: db.adminCommand({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 3600 }). If a migration ran meanwhile, repeat the backup after it.`,
  );
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

const secondsSince = (startedMs: number) => Math.round((performance.now() - startedMs) / 100) / 10;
