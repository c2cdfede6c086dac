import mongoose, { type ClientSession } from 'mongoose';

/** A session whose reads all see the database as it stood at one moment. */
export type Snapshot = ClientSession;

/**
 * Reads that must tell one story while others write: every query of `read` that is given the snapshot sees the same
 * moment. For seconds, not minutes: the server keeps the past for about five.
 */
export async function inSnapshot<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const session = mongoose.connection.getClient().startSession({ snapshot: true });
  try {
    return await read(session);
  } finally {
    await session.endSession();
  }
}
