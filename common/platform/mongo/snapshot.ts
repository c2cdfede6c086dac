import mongoose, { type ClientSession } from 'mongoose';

/** A session whose reads all see the database at the same moment. */
export type Snapshot = ClientSession;

/**
 * Runs `read` with a consistent snapshot: every query that is given the session sees the same moment, while others write.
 * `read` must end within seconds: the server keeps snapshots for about five minutes.
 */
export async function inSnapshot<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const session = mongoose.connection.getClient().startSession({ snapshot: true });
  try {
    return await read(session);
  } finally {
    await session.endSession();
  }
}

/** A moment in the order of all commits. */
export type ClusterTime = mongoose.mongo.Timestamp;

/** Returns the time of the latest snapshot: a read at this time sees all that a majority has stored by now. */
export async function readClusterTime(model: { collection: { name: string } }): Promise<ClusterTime> {
  const nothing = { filter: { _id: null }, limit: 1, singleBatch: true, readConcern: { level: 'snapshot' } };
  const reply = await mongoose.connection.db?.command({ find: model.collection.name, ...nothing });
  return reply?.cursor.atClusterTime;
}
