import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { findMongodb } from '../../scripts/local-servers/find-mongodb.ts';
import { startKeeper } from '../../scripts/local-servers/start-keeper.ts';
import { startMongodb } from '../../scripts/local-servers/start-mongodb.ts';

/** What the server does to a command instead of carrying it out; see MongoDB's failCommand. */
export type Fault = {
  failCommands: string[];
  /** Only on this collection; on all without it. */
  collection?: string;
  /** The server's error code of a refused command. */
  errorCode?: number;
  /** What the server says with some codes, and without which it says another one. */
  errorExtraInfo?: object;
  errorLabels?: string[];
  closeConnection?: boolean;
  /** The command is carried out, and its answer then says that it is not safe yet. */
  writeConcernError?: { code: number; errmsg: string };
  blockConnection?: boolean;
  blockTimeMS?: number;
  /** Whose commands: the name of a connection's process, and the database it uses. */
  appName: string;
  database: string;
};

export type OwnMongo = {
  uri: string;
  /** Lets the next `times` of these commands fail. */
  fail(fault: Fault, times: number): Promise<void>;
  /** Ends it; how often a command has met it. */
  stopFailing(): Promise<number>;
  close(): Promise<void>;
};

/** A MongoDB for one test file, which may make its commands fail: the shared one has one fail point for all files. */
export async function startOwnMongo(): Promise<OwnMongo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-mongo-'));
  const keeper = await startKeeper();
  const binary = await findMongodb({ environment: process.env, allowDownload: true, report: () => {} });
  const server = await startMongodb({ keeper, binary, dataDir, isTest: true });
  const uri = server.environment.MONGODB_URI ?? '';
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  const admin = client.db('admin');

  return {
    uri,
    async fail({ collection, database, ...fault }, times) {
      const data = { ...fault, ...(collection !== undefined && { namespace: `${database}.${collection}` }) };
      await admin.command({ configureFailPoint: 'failCommand', mode: { times }, data });
    },
    async stopFailing() {
      return (await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })).count;
    },
    async close() {
      await client.close();
      await keeper.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
