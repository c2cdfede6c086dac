import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { killStartedPrograms, startNode, waitUntilGone } from '../support/process-control.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const program = join(import.meta.dirname, '../support/local-servers.program.ts');
const startedWithinMs = 15_000;

type Started = { pids: number[]; keeperPid: number; environment: Record<string, string> };

/** A process that has the three servers running, and where they are. */
async function startServers(dataDir: string) {
  const parent = startNode([program, dataDir]);
  const line = await parent.waitForLine(/^started /, { withinMs: startedWithinMs });
  const started: Started = JSON.parse(line.slice('started '.length));
  return { parent, ...started };
}

async function withCollection<T>(url: string, use: (things: mongo.Collection) => Promise<T>): Promise<T> {
  const client = new mongo.MongoClient(url);
  try {
    return await use(client.db().collection('things'));
  } finally {
    await client.close();
  }
}

const squatters: Server[] = [];

/** Takes a port, as some other program might: it accepts connections and never says a word. */
async function occupy(port: number): Promise<void> {
  const server = createServer();
  squatters.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
}

describe('the local servers', () => {
  const makeFolder = useTempFolders();
  afterEach(async () => {
    for (const squatter of squatters.splice(0)) squatter.close();
    await killStartedPrograms();
  });

  test('given servers that run, when their parent is killed by SIGKILL, then none of them is left', async () => {
    // given
    const { parent, pids, keeperPid } = await startServers(await makeFolder());
    expect(pids).toHaveLength(3);
    // when
    parent.kill('SIGKILL');
    // then
    await waitUntilGone([...pids, keeperPid], { withinMs: 10_000 });
  });

  test('given a parent just killed, when the next one starts on its folder at once, then all data are found', async () => {
    // given
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    await withCollection(first.environment.MONGODB_URI!, (things) => things.insertOne({ name: 'kept' }));
    first.parent.kill('SIGKILL');
    // when
    const second = await startServers(dataDir);
    // then
    const found = await withCollection(second.environment.MONGODB_URI!, (things) => things.findOne({ name: 'kept' }));
    expect(found).not.toBeNull();
    expect(second.environment).toEqual(first.environment);
    second.parent.kill('SIGKILL');
    await waitUntilGone([...first.pids, ...second.pids, second.keeperPid], { withinMs: 10_000 });
  });

  test('given parent and keeper both killed, when the next one starts, then it ends the servers left and finds the data', async () => {
    // given
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    await withCollection(first.environment.MONGODB_URI!, (things) => things.insertOne({ name: 'kept' }));
    process.kill(first.keeperPid, 'SIGKILL');
    first.parent.kill('SIGKILL');
    // when
    const second = await startServers(dataDir);
    // then
    await waitUntilGone(first.pids, { withinMs: 0 });
    const count = await withCollection(second.environment.MONGODB_URI!, (things) => things.countDocuments());
    expect(count).toBe(1);
    second.parent.kill('SIGKILL');
    await waitUntilGone([...second.pids, second.keeperPid], { withinMs: 10_000 });
  });

  test("given another program on MongoDB's last port and a damaged note of Redis's, when they start, then elsewhere with all data", async () => {
    // given
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    const oldUrl = first.environment.MONGODB_URI!;
    await withCollection(oldUrl, (things) => things.insertOne({ name: 'kept' }));
    first.parent.kill('SIGKILL');
    await waitUntilGone([...first.pids, first.keeperPid], { withinMs: 10_000 });
    await occupy(Number(new URL(oldUrl).port));
    await writeFile(join(dataDir, 'run', 'redis.port'), 'not a port');
    // when
    const second = await startServers(dataDir);
    // then
    expect(second.environment.MONGODB_URI).not.toBe(oldUrl);
    const count = await withCollection(second.environment.MONGODB_URI!, (things) => things.countDocuments());
    expect(count).toBe(1);
    second.parent.kill('SIGKILL');
    await waitUntilGone([...second.pids, second.keeperPid], { withinMs: 10_000 });
  });
});
