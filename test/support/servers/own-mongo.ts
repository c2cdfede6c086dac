import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { findMongodb } from '#scripts/local-servers/binaries/find-mongodb.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { startMongodb } from '#scripts/local-servers/start-mongodb.ts';
import { openOnce } from '../jest.ts';

/** A fault that the server injects into commands (MongoDB's failCommand fail point). */
export type Fault = {
  failCommands: string[];
  /** The affected collection. Default: all. */
  collection?: string;
  /** The error code of a refused command. */
  errorCode?: number;
  /** Details that some error codes require. Without them, the server reports another code. */
  errorExtraInfo?: object;
  errorLabels?: string[];
  closeConnection?: boolean;
  /** The command is executed, and its response reports this write concern error. */
  writeConcernError?: { code: number; errmsg: string };
  blockConnection?: boolean;
  blockTimeMS?: number;
  /** Selects the commands by the connection's name and database. */
  appName: string;
  database: string;
};

export type Times = number | { skip: number };

export type OwnMongo = Awaited<ReturnType<typeof startOwnMongo>>;

/** Starts a MongoDB of its own for the tests of a file, and connects this process to it by the name `appName`. */
export function useOwnMongo(appName: string): OwnMongo {
  return openOnce(async () => {
    const mongo = await startOwnMongo();
    await connectMongo(mongo.uri, appName);
    async function close(): Promise<void> {
      await mongo.stopFailing();
      await disconnectMongo();
      await mongo.close();
    }
    return { ...mongo, close };
  });
}

/** Starts a MongoDB for one test file, which can inject faults: the shared server has one fail point for all files. */
export async function startOwnMongo() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-mongo-'));
  const keeper = await startKeeper();
  const binary = await findMongodb({ environment: process.env, allowDownload: true, report: () => {} });
  const server = await startMongodb({ keeper, binary, dataDir, isTest: true });
  const uri = server.environment.MONGODB_URI ?? '';
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  const admin = client.db('admin');

  return {
    uri,
    logFile: server.logFile,
    /** Makes the next `times` matching commands fail, or all but the first `skip`. */
    async fail({ collection, database, ...fault }: Fault, times: Times): Promise<void> {
      const data = { ...fault, ...(collection !== undefined && { namespace: `${database}.${collection}` }) };
      const mode = typeof times === 'number' ? { times } : times;
      await admin.command({ configureFailPoint: 'failCommand', mode, data });
    },
    /** Turns the fault off. Returns how many commands it affected. */
    async stopFailing(): Promise<number> {
      return (await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })).count;
    },
    /** Sets how long the server keeps the transaction of a killed process, which blocks others, in whole seconds. */
    async keepTransactionsFor(seconds: number): Promise<void> {
      await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds });
    },
    /** While true, no write becomes majority-committed: majority reads see the earlier state. */
    async holdMajority(isHeld: boolean): Promise<void> {
      await admin.command({ configureFailPoint: 'disableSnapshotting', mode: isHeld ? 'alwaysOn' : 'off' });
    },
    /**
     * Runs `work` while an earlier write has reserved its oplog slot and is not committed (an oplog hole). A transaction
     * that starts then reads the state before that write. No write becomes majority-committed meanwhile.
     */
    async withOplogHole(work: (close: () => Promise<void>) => Promise<void>): Promise<void> {
      const failPoint = 'hangAndFailAfterDocumentInsertsReserveOpTimes';
      const collection = client.db('holes').collection('inserts');
      // Creates the collection first. Otherwise its creation would hang.
      await collection.insertOne({});
      const data = { collectionNS: collection.namespace };
      const { count } = await admin.command({ configureFailPoint: failPoint, mode: 'alwaysOn', data });
      const close = async () => void (await admin.command({ configureFailPoint: failPoint, mode: 'off' }));
      // The fail point makes the insert fail when it is released.
      const insert = collection.insertOne({}).catch(() => {});
      try {
        await admin.command({ waitForFailPoint: failPoint, timesEntered: count + 1, maxTimeMS: 60_000 });
        await work(close);
      } finally {
        await close();
        await insert;
      }
    },
    async close() {
      await client.close();
      await keeper.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
