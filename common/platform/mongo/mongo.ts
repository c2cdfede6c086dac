import mongoose, { type ClientSession, type Collection, type Model, type mongo } from 'mongoose';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Projected, Projection } from './projected.ts';
import type { ClusterTime } from './snapshot.ts';

// Indexes are built by the migration step, not by the first process that uses a model.
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);
// A filter with an unknown field must fail instead of matching every document.
mongoose.set('strictQuery', 'throw');
// Without a connection a command fails at once instead of waiting in a buffer.
mongoose.set('bufferCommands', false);

export type MongoOptions = {
  /** Time limit for an answer to one operation. None for commands that build indexes, which have no bound. */
  socketTimeoutMs?: number;
  /** Most connections of this process. */
  poolSize?: number;
};

/** Settings of the driver, unless the URL has its own. */
const urlOptions = {
  // Detects a primary that hangs or is cut off: the driver asks each member every 2 s, and waits up to 3 s for an answer
  // or a connection. With the driver's defaults, that takes 40 s.
  heartbeatFrequencyMS: 2_000,
  connectTimeoutMS: 3_000,
  // How long an operation waits for a primary, and for one of the connections.
  serverSelectionTimeoutMS: 5_000,
  waitQueueTimeoutMS: 5_000,
};

/**
 * Opens the connection that all models use. `appName` identifies the process in the database's log.
 * Throws when no primary is found within 5 s, by default. A later operation waits just as long for a lost primary.
 */
export async function connectMongo(url: string, appName: string, options: MongoOptions = {}) {
  const { socketTimeoutMs = 0, poolSize = 50 } = options;
  // Options override the URL, so only those that it does not set are passed.
  const unnamed = Object.entries(urlOptions).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  await mongoose.connect(url, {
    appName,
    ...Object.fromEntries(unnamed),
    maxPoolSize: poolSize,
    socketTimeoutMS: socketTimeoutMs,
    writeConcern: { w: 'majority', journal: true },
  });
}

/** Returns how long an operation waits for a primary, and so a transaction for others that block it. */
export function mongoWaitMs(): number {
  return mongoose.connection.getClient().options.serverSelectionTimeoutMS;
}

export async function disconnectMongo(): Promise<void> {
  await mongoose.disconnect();
}

/**
 * A process is unready after this time without an answer. Long enough for a busy MongoDB, which must not make all
 * processes unready at once. Health checks must have a longer timeout.
 */
export const readinessTimeoutMs = 5_000;

/** Returns whether a writable primary answers within `timeoutMs`. */
export async function isMongoReady(timeoutMs: number): Promise<boolean> {
  const isPrimary = async () => (await mongoose.connection.db?.command({ hello: 1 }))?.isWritablePrimary === true;
  return await withTimeout(isPrimary(), timeoutMs, () => false).catch(() => false);
}

/**
 * Returns the server's lifetime limit of a transaction, in seconds: for this long, the writes of a killed process block
 * others. Null when this user is not allowed to read it.
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

type Whole<Options> = Omit<Options, 'projection'> & { projection?: never };
type Some<Options, P> = Omit<Options, 'projection'> & { projection: P };

/** The driver's collection. A read with a projection has the type of what it returns. */
type Rows<Row extends { _id: string }> = Omit<Collection<Row>, 'find' | 'findOne' | 'findOneAndUpdate'> & {
  find(filter?: mongo.Filter<Row>, options?: Whole<mongo.FindOptions>): mongo.FindCursor<Row>;
  find<const P extends Projection>(
    filter: mongo.Filter<Row>,
    options: Some<mongo.FindOptions, P>,
  ): mongo.FindCursor<Projected<Row, P>>;
  findOne(filter: mongo.Filter<Row>, options?: Whole<mongo.FindOneOptions>): Promise<Row | null>;
  findOne<const P extends Projection>(
    filter: mongo.Filter<Row>,
    options: Some<mongo.FindOneOptions, P>,
  ): Promise<Projected<Row, P> | null>;
  findOneAndUpdate(
    filter: mongo.Filter<Row>,
    update: mongo.UpdateFilter<Row> | object[],
    options?: Whole<mongo.FindOneAndUpdateOptions>,
  ): Promise<Row | null>;
  findOneAndUpdate<const P extends Projection>(
    filter: mongo.Filter<Row>,
    update: mongo.UpdateFilter<Row> | object[],
    options: Some<mongo.FindOneAndUpdateOptions, P>,
  ): Promise<Projected<Row, P> | null>;
};

/** Returns the driver's collection, for hot paths whose rows need no casting and no defaults. */
export function rowsOf<Row extends { _id: string }>(from: string | { collection: { name: string } }): Rows<Row> {
  const name = typeof from === 'string' ? from : from.collection.name;
  return mongoose.connection.collection<Row>(name) as unknown as Rows<Row>;
}

type FindOptions = {
  sort?: Record<string, 1 | -1>;
  hint?: Record<string, 1 | -1>;
  readConcern?: { level: 'majority' } | { level: 'snapshot'; atClusterTime: ClusterTime };
  session?: ClientSession;
};

/** Returns the first matching row, null when there is none. Reads like `findRows`. */
export async function findRow<Row extends { _id: string }>(
  model: { collection: { name: string } },
  filter: object,
  options?: Whole<FindOptions>,
): Promise<Row | null>;
export async function findRow<Row, const P extends Projection>(
  model: Model<Row>,
  filter: object,
  options: Some<FindOptions, P>,
): Promise<Projected<Row, P> | null>;
export async function findRow(
  model: { collection: { name: string } },
  filter: object,
  options: FindOptions & { projection?: Projection } = {},
): Promise<object | null> {
  const [row] = await findRows(model, filter, { limit: 1, ...options } as { limit: number });
  return row ?? null;
}

/**
 * Returns the first `limit` matching rows in one reply, without casting. The caller knows that they are few and small.
 * Sends the `find` command itself: the driver's cursor costs a quarter of a small read. Retries once outside a
 * transaction, as the driver does, when the connection broke or the primary changed.
 */
export async function findRows<Row extends { _id: string }>(
  model: { collection: { name: string } },
  filter: object,
  options: Whole<FindOptions & { limit: number }>,
): Promise<Row[]>;
export async function findRows<Row, const P extends Projection>(
  model: Model<Row>,
  filter: object,
  options: Some<FindOptions & { limit: number }, P>,
): Promise<Projected<Row, P>[]>;
export async function findRows(
  model: { collection: { name: string } },
  filter: object,
  { limit, session, ...options }: FindOptions & { limit: number; projection?: Projection },
): Promise<object[]> {
  const { db } = mongoose.connection;
  if (!db) throw new mongoose.mongo.MongoNotConnectedError('There is no connection to MongoDB');
  const command = { find: model.collection.name, filter, limit, batchSize: limit, singleBatch: true, ...options };
  const ask = () => (session ? db.command(command, { session }) : db.command(command));
  const reply = await ask().catch((error: unknown) => {
    if (session || !(error instanceof mongoose.mongo.MongoNetworkError || isStateChange(error))) throw error;
    return ask();
  });
  return reply.cursor.firstBatch;
}

/**
 * Inserts complete rows in one command. Without rows, sends none. A refused row throws and aborts the transaction. The
 * caller bounds the number of rows: the driver's `insertMany` would split them, but encodes each row twice to measure it.
 */
export async function insertRows<Row extends { _id: string }>(
  model: { collection: { name: string } },
  rows: readonly Row[],
  session: ClientSession,
): Promise<void> {
  if (rows.length === 0) return;
  const command = { insert: model.collection.name, documents: rows, ordered: true };
  const reply = await mongoose.connection.db?.command(command, { session, ignoreUndefined: true });
  const [refused] = reply?.writeErrors ?? [];
  if (reply?.n === rows.length && !refused) return;
  throw new mongoose.mongo.MongoServerError({ ...refused, errmsg: refused?.errmsg ?? 'Not all rows were inserted' });
}

/**
 * Updates rows in one command, and returns how many matched. Each filter must name the id of its row. A refused change
 * throws and aborts the transaction. The driver's `bulkWrite` would encode each change twice.
 */
export async function updateRows(
  model: { collection: { name: string } },
  changes: readonly { filter: object; change: object }[],
  session: ClientSession,
): Promise<number> {
  const updates = changes.map(({ filter, change }) => ({ q: filter, u: change, hint: { _id: 1 } }));
  const reply = await mongoose.connection.db?.command({ update: model.collection.name, updates }, { session });
  const [refused] = reply?.writeErrors ?? [];
  if (refused) throw new mongoose.mongo.MongoServerError(refused);
  return reply?.n ?? 0;
}

/** Returns whether a unique index refused the write. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === 11_000;
}

/** Server error codes for "not primary" and "shutting down": the next primary accepts the same command. */
const stateChangeCodes: readonly unknown[] = [91, 189, 10_107, 11_600, 11_602, 13_435, 13_436];

function isStateChange(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && stateChangeCodes.includes(error.code);
}

/**
 * Returns whether a socket broke while a command was written. Driver 7.8 passes Node's error on unchanged when the
 * command did not fit the socket's buffer (`Connection.writeCommand`).
 */
function isBrokenWrite(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'write';
}

/** Returns whether the database was unreachable or did not answer in time. The request itself is not at fault. */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof mongoose.mongo.MongoError))
    return error instanceof mongoose.Error.MongooseServerSelectionError || isBrokenWrite(error);
  const { MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError } = mongoose.mongo;
  const isNetwork = [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError].some(
    (kind) => error instanceof kind,
  );
  // The driver does not export these two errors as classes.
  const isPool = ['MongoWaitQueueTimeoutError', 'MongoPoolClearedError'].includes(error.name);
  return isNetwork || isPool || isStateChange(error) || error.hasErrorLabel('RetryableWriteError');
}
