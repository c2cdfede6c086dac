import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drainInParallel } from '#common/platform/concurrency/in-parallel.ts';
import { countRows, insertRawRows, listCollectionNames, readRawRows } from '#common/platform/mongo/raw-rows.ts';
import type { Snapshot } from '#common/platform/mongo/snapshot.ts';
import { OperatorError } from '../program/operator-error.ts';
import { collectionFileOf } from './backup-folder.ts';
import type { BackupManifest } from './manifest.schema.ts';
import { readCompressed, writeCompressed } from './write-file.ts';

type DumpedCollection = BackupManifest['collections'][number];

/** Locks and roles of running processes, which mean nothing elsewhere. */
export const leaseCollection = 'leases';
/** Its rows are restored last: until then it has the mark of `markUnfinishedRestore`. */
export const migrationCollection = 'migrations';

/** Writes each collection to a file, all as they were at the moment of the snapshot. */
export async function dumpRows(folder: string, snapshot: Snapshot): Promise<DumpedCollection[]> {
  const dumped: DumpedCollection[] = [];
  for (const name of await listCollectionNames({ type: 'collection' })) {
    if (name === leaseCollection) continue;
    let rows = 0;
    let rowBytes = 0;
    async function* counted() {
      for await (const row of readRawRows(name, snapshot)) {
        rows += 1;
        rowBytes += row.length;
        yield row;
      }
    }
    const file = collectionFileOf(name);
    const written = await writeCompressed(join(folder, file), counted());
    dumped.push({ name, rows, rowBytes, file, ...written });
  }
  return dumped;
}

/** One command takes 48 MB at most. */
const batchBytes = 8 * 1024 * 1024;
const batchRows = 2_000;
/** Batches that are decoded while the server stores others. */
const batchesAtOnce = 3;

/** Inserts the rows of a collection. */
export async function loadRows(folder: string, { name, file }: DumpedCollection): Promise<void> {
  // The last collection waits for the earlier ones, too.
  const isDurable = name === migrationCollection;
  const insert = async (batch: Uint8Array[]) => {
    await insertRawRows(name, batch, { isDurable });
    return null;
  };
  const batches = batchesOf(splitRows(readCompressed(join(folder, file))));
  for await (const _ of drainInParallel(batches, insert, batchesAtOnce));
}

/** Throws OperatorError when a collection has not as many rows as the backup. */
export async function requireAllRows(collections: readonly DumpedCollection[]): Promise<void> {
  for (const { name, rows } of collections) {
    const found = await countRows(name);
    if (found === rows) continue;
    throw new OperatorError(
      `${name} has ${found} rows after the restore, and the backup has ${rows}. End whatever else writes to this database, drop it, and restore again.`,
    );
  }
}

/** Splits a stream of BSON documents, each of which begins with its length. */
export async function* splitRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (rest.length - start >= 4) {
      const length = rest.readInt32LE(start);
      if (length < 5) throw new Error('A row has no valid length.');
      if (rest.length - start < length) break;
      yield rest.subarray(start, start + length);
      start += length;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) throw new Error('The last row is not complete.');
}

async function* batchesOf(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for await (const row of rows) {
    if (batch.length === batchRows || (batch.length > 0 && bytes + row.length > batchBytes)) {
      yield batch;
      // Lets the sockets be served: decoding keeps the thread busy.
      await sleep(0);
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += row.length;
  }
  if (batch.length > 0) yield batch;
}
