import mongoose from 'mongoose';
import type { ClusterTime, Snapshot } from './snapshot.ts';

const { BSON } = mongoose.mongo;
/** Rows of one reply. The server ends a reply at 16 MB anyway. */
const batchSize = 2_000;
/** Keeps the types of numbers, which JavaScript would merge. */
const exactTypes = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;

/**
 * Returns the names of the collections of the database, sorted, without those of the server. `type`: only collections that
 * store rows, without views and time series.
 */
export async function listCollectionNames(filter: { type?: 'collection' } = {}): Promise<string[]> {
  const { db } = mongoose.connection;
  const collections = (await db?.listCollections(filter, { nameOnly: true }).toArray()) ?? [];
  return collections
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort();
}

/** Yields the rows of a collection as the BSON that is stored, as they were at the moment of the snapshot. */
export async function* readRawRows(collection: string, snapshot: Snapshot): AsyncGenerator<Uint8Array> {
  const rows = mongoose.connection.collection(collection);
  // With `raw`, the driver returns each document as its bytes.
  const cursor = rows.find({}, { session: snapshot, raw: true, batchSize });
  try {
    for await (const row of cursor) yield row as unknown as Uint8Array;
  } finally {
    await cursor.close();
  }
}

/**
 * Inserts rows that `readRawRows` has returned. The caller bounds their size to 32 MB. `isDurable` waits until a majority
 * has stored these and all earlier writes. Throws when the database refuses one.
 */
export async function insertRawRows(
  collection: string,
  rows: readonly Uint8Array[],
  { isDurable = false } = {},
): Promise<void> {
  const documents = rows.map((row) => BSON.deserialize(row, exactTypes));
  const writeConcern = isDurable ? { w: 'majority', j: true } : { w: 1 };
  const command = { insert: collection, documents, ordered: false, writeConcern };
  const reply = await mongoose.connection.db?.command(command);
  const [refused] = reply?.writeErrors ?? [];
  if (refused || reply?.n !== rows.length) {
    throw new mongoose.mongo.MongoServerError(refused ?? { errmsg: 'Not all rows were inserted' });
  }
}

/** Returns whether a collection has a row. */
export async function hasRows(collection: string): Promise<boolean> {
  return (await mongoose.connection.collection(collection).findOne({}, { projection: { _id: 1 } })) !== null;
}

export async function countRows(collection: string): Promise<number> {
  return await mongoose.connection.collection(collection).countDocuments();
}

/** Drops a collection, if it exists. */
export async function dropCollection(collection: string): Promise<void> {
  await mongoose.connection.dropCollection(collection);
}

/** Returns the moment of a snapshot. It is known after the first read. */
export function clusterTimeOf(snapshot: Snapshot): ClusterTime {
  // A property of the driver without a published type.
  const { snapshotTime } = snapshot as { snapshotTime?: ClusterTime };
  if (!snapshotTime) throw new Error('Nothing has been read in this snapshot yet.');
  return snapshotTime;
}

const historyParameter = 'minSnapshotHistoryWindowInSeconds';

/** Returns how long the server keeps a snapshot, in seconds. Null when this user is not allowed to read it. */
export async function readSnapshotWindowS(): Promise<number | null> {
  const admin = mongoose.connection.getClient().db('admin');
  return await admin.command({ getParameter: 1, [historyParameter]: 1 }).then(
    (parameters) => Number(parameters[historyParameter]),
    () => null,
  );
}

/** The server's codes for a snapshot that it no longer has, or cannot give because a collection has changed since. */
const snapshotCodes: readonly unknown[] = [239, 246];

/** Returns whether the server no longer has the snapshot of a read. */
export function isSnapshotLost(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && snapshotCodes.includes(error.code);
}
