import mongoose from 'mongoose';

/** Which primary took a write: changes with each election. Null when the server does not say. */
export type Reign = string | null;

type WriteReply = {
  electionId?: unknown;
  writeErrors?: { code: number; index: number }[];
};
const duplicateKeyCode = 11_000;

/** `refused`: the ids of rows that a unique index has kept out. */
export type QuickInsert = { reign: Reign; refused: ReadonlySet<string> };

let latest: Reign = null;

/** Which primary took the last write of this kind that this process knows of; null before the first. */
export const lastReign = (): Reign => latest;

/**
 * Inserts rows, of which some may be there already, without waiting for the journal: half the time, and lost when the
 * primary is. Whoever relies on them asks `isSafeSince` before he forgets what they were made from.
 */
export async function insertQuickly<Row extends { _id: string }>(
  collection: string,
  rows: readonly Row[],
): Promise<QuickInsert> {
  const command = { insert: collection, documents: rows, ordered: false, writeConcern: { w: 1, j: false } };
  const reply: WriteReply | undefined = await mongoose.connection.db?.command(command, { ignoreUndefined: true });
  const errors = reply?.writeErrors ?? [];
  const fault = errors.find(({ code }) => code !== duplicateKeyCode);
  if (fault) throw new mongoose.mongo.MongoServerError(fault);
  return { reign: reignOf(reply), refused: new Set(errors.flatMap(({ index }) => rows[index]?._id ?? [])) };
}

/**
 * Whether all that this process has written since `reign`, and had answered, is stored for good. A primary's log is one
 * sequence: when its end is on the majority, so is all before it. But only when the same primary took all of it; one
 * elected in between may have a part, so then the answer is no, and the writes must be made again.
 */
export async function isSafeSince(reign: Reign, collection: string): Promise<boolean> {
  if (reign === null) return false;
  const command = {
    update: collection,
    // Changes nothing: such a write is acknowledged when the log's end of that moment is on the majority.
    updates: [{ q: { _id: 'none' }, u: { $set: { isSafe: true } } }],
    writeConcern: { w: 'majority', j: true },
  };
  try {
    return reignOf(await mongoose.connection.db?.command(command)) === reign;
  } catch (error) {
    // The majority has not answered in time: it may yet, but nobody knows.
    if (error instanceof mongoose.mongo.MongoWriteConcernError) return false;
    throw error;
  }
}

function reignOf(reply: WriteReply | undefined): Reign {
  latest = reply?.electionId === undefined ? null : String(reply.electionId);
  return latest;
}
