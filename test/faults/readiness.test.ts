// Level: push
import mongoose from 'mongoose';
import { isMongoReady, readinessTimeoutMs } from '#common/platform/mongo/mongo.ts';
import { expect, test } from '../support/jest.ts';
import { useOwnMongo } from '../support/servers/own-mongo.ts';

const appName = 'readiness';

const mongo = useOwnMongo(appName);

test.each([
  ['2 s', 'ready', 2_000, true],
  ['8 s', 'not ready', 8_000, false],
])('a process whose MongoDB needs %s to answer is %s', async (_time, _state, blockTimeMS, isReady) => {
  const database = mongoose.connection.name;
  await mongo.fail({ failCommands: ['hello'], blockConnection: true, blockTimeMS, appName, database }, 1_000);
  expect(await isMongoReady(readinessTimeoutMs)).toBe(isReady);
});
