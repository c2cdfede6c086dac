import mongoose, { type ClientSession } from 'mongoose';

// Indexes are built by a step at start, not by whichever process touches a model first.
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);
// A filter with a field that the schema does not know must fail, not silently match everything.
mongoose.set('strictQuery', 'throw');
// A database that is away is an error at once, not a command that waits in a buffer.
mongoose.set('bufferCommands', false);

export type MongoOptions = {
  /** How long one operation may go unanswered; none for commands that build indexes, which take what they take. */
  socketTimeoutMs?: number;
};

/**
 * Connects the one connection that all models use. `appName` names the process in the database's own logs.
 * Throws when no primary is found within 5 s; an operation waits as long for one that was lost.
 */
export async function connectMongo(url: string, appName: string, { socketTimeoutMs = 0 }: MongoOptions = {}) {
  await mongoose.connect(url, {
    appName,
    maxPoolSize: 50,
    serverSelectionTimeoutMS: 5_000,
    waitQueueTimeoutMS: 5_000,
    socketTimeoutMS: socketTimeoutMs,
    writeConcern: { w: 'majority', journal: true },
  });
}

export async function disconnectMongo(): Promise<void> {
  await mongoose.disconnect();
}

/** Whether a primary that takes writes answers within `timeoutMs`. */
export async function isMongoReady(timeoutMs: number): Promise<boolean> {
  const asked = mongoose.connection.db?.command({ hello: 1 }).then(
    (hello) => hello.isWritablePrimary === true,
    // Whatever the cause, the answer is no; the caller reports it.
    () => false,
  );
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const isReady = (await Promise.race([asked, late])) ?? false;
  clearTimeout(timer);

  return isReady;
}

/**
 * How long the server lets a transaction live, in seconds: so long a process that was killed goes on holding what it
 * had begun to write. Null where this user may not ask.
 */
export async function readTransactionLifetimeS(): Promise<number | null> {
  const name = 'transactionLifetimeLimitSeconds';
  const answer = mongoose.connection
    .getClient()
    .db('admin')
    .command({ getParameter: 1, [name]: 1 });
  return await answer.then(
    (parameters) => Number(parameters[name]),
    () => null,
  );
}

/** A collection as the driver has it, for hot paths whose rows need no casting and no defaults. */
export function rowsOf<Row extends { _id: string }>(from: string | { collection: { name: string } }) {
  return mongoose.connection.collection<Row>(typeof from === 'string' ? from : from.collection.name);
}

type FindOptions = { hint?: Record<string, 1 | -1>; readConcern?: { level: 'majority' }; session?: ClientSession };

/** The row that fits, as `findRows` has it; null when there is none. */
export async function findRow<Row extends { _id: string }>(
  model: { collection: { name: string } },
  filter: object,
  options: FindOptions = {},
): Promise<Row | null> {
  const [row] = await findRows<Row>(model, filter, { limit: 1, ...options });
  return row ?? null;
}

/**
 * The first `limit` rows that fit, as they are, in one answer: the caller knows that they are few and small. By the
 * command itself: the driver's own `find` makes a cursor for it, a quarter of what the read costs this process. Like that
 * one it asks once more, outside a transaction, when the connection broke or the primary was no more. Filter and options
 * are the command's: nothing is cast.
 */
export async function findRows<Row extends { _id: string }>(
  model: { collection: { name: string } },
  filter: object,
  { limit, session, ...options }: FindOptions & { limit: number },
): Promise<Row[]> {
  const { db } = mongoose.connection;
  if (!db) throw new mongoose.mongo.MongoNotConnectedError('There is no connection to read by');
  const command = { find: model.collection.name, filter, limit, batchSize: limit, singleBatch: true, ...options };
  const ask = () => (session ? db.command(command, { session }) : db.command(command));
  const reply = await ask().catch((error: unknown) => {
    if (session || !(error instanceof mongoose.mongo.MongoNetworkError || isStateChange(error))) throw error;
    return ask();
  });
  return reply.cursor.firstBatch;
}

/**
 * Inserts rows that are whole as they are, in one command; a refused one throws, and the transaction is over. The
 * driver's `insertMany` would encode each row twice, once to measure it: the caller bounds how many it hands in.
 */
export async function insertRows<Row extends { _id: string }>(
  model: { collection: { name: string } },
  rows: readonly Row[],
  session: ClientSession,
): Promise<void> {
  const command = { insert: model.collection.name, documents: rows, ordered: true };
  const reply = await mongoose.connection.db?.command(command, { session, ignoreUndefined: true });
  const [refused] = reply?.writeErrors ?? [];
  if (reply?.n === rows.length && !refused) return;
  throw new mongoose.mongo.MongoServerError({ ...refused, errmsg: refused?.errmsg ?? 'Not all rows were inserted' });
}

/**
 * Changes rows in one command, and returns how many fitted their filters; a refused change throws, and the transaction
 * is over. The driver's `bulkWrite` would encode each change twice, as `insertMany` does.
 */
export async function updateRows(
  model: { collection: { name: string } },
  changes: readonly { filter: object; change: object }[],
  session: ClientSession,
): Promise<number> {
  const updates = changes.map(({ filter, change }) => ({ q: filter, u: change }));
  const reply = await mongoose.connection.db?.command({ update: model.collection.name, updates }, { session });
  const [refused] = reply?.writeErrors ?? [];
  if (refused) throw new mongoose.mongo.MongoServerError(refused);
  return reply?.n ?? 0;
}

/** Whether a unique index refused the write. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === 11_000;
}

/** The server's own words for "I am not the primary, or about to go": the next one will take the same command. */
const stateChangeCodes: readonly unknown[] = [91, 189, 10_107, 11_600, 11_602, 13_435, 13_436];

function isStateChange(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && stateChangeCodes.includes(error.code);
}

/** Whether the database could not be reached or did not answer in time: nothing is wrong with the request. */
export function isMongoAway(error: unknown): boolean {
  if (!(error instanceof mongoose.mongo.MongoError))
    return error instanceof mongoose.Error.MongooseServerSelectionError;
  const { MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError } = mongoose.mongo;
  const isNetwork = [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError].some(
    (kind) => error instanceof kind,
  );
  // The wait queue's and the cleared pool's errors are not exported as classes.
  const isPool = ['MongoWaitQueueTimeoutError', 'MongoPoolClearedError'].includes(error.name);
  return isNetwork || isPool || isStateChange(error) || error.hasErrorLabel('RetryableWriteError');
}
