import mongoose from 'mongoose';
import { connectMongo, disconnectMongo, isMongoReady, readinessTimeoutMs } from '#common/platform/mongo/mongo.ts';
import { afterAll, beforeAll, expect, test } from '../support/jest.ts';
import { type OwnMongo, startOwnMongo } from '../support/servers/own-mongo.ts';

const appName = 'readiness';

let mongo: OwnMongo;
beforeAll(async () => {
  mongo = await startOwnMongo();
  await connectMongo(mongo.uri, appName);
});
afterAll(async () => {
  await mongo.stopFailing();
  await disconnectMongo();
  await mongo.close();
});

test.each([
  ['2 s', 'ready', 2_000, true],
  ['8 s', 'not ready', 8_000, false],
])('a process whose MongoDB needs %s to answer is %s', async (_time, _state, blockTimeMS, isReady) => {
  const database = mongoose.connection.name;
  await mongo.fail({ failCommands: ['hello'], blockConnection: true, blockTimeMS, appName, database }, 1_000);
  expect(await isMongoReady(readinessTimeoutMs)).toBe(isReady);
});
