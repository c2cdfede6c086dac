import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startNode, waitUntilGone } from '../support/processes/process-control.ts';

const program = join(import.meta.dirname, '../support/servers/local-servers.program.ts');
const startedWithinMs = 15_000;

type Started = { pids: number[]; keeperPid: number; environment: Record<string, string> };

/** Starts a process that runs the three servers, and returns their addresses. */
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

/** Occupies a port like another program: it accepts connections and never answers. */
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

  test('no server survives a SIGKILL of its parent', async () => {
    const { parent, pids, keeperPid } = await startServers(await makeFolder());
    expect(pids).toHaveLength(3);
    parent.kill('SIGKILL');
    await waitUntilGone([...pids, keeperPid], { withinMs: 10_000 });
  });

  test('a start right after a killed one finds all data at the same addresses', async () => {
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    await withCollection(first.environment.MONGODB_URI!, (things) => things.insertOne({ name: 'kept' }));
    first.parent.kill('SIGKILL');
    const second = await startServers(dataDir);
    const found = await withCollection(second.environment.MONGODB_URI!, (things) => things.findOne({ name: 'kept' }));
    expect(found).not.toBeNull();
    expect(second.environment).toEqual(first.environment);
    second.parent.kill('SIGKILL');
    await waitUntilGone([...first.pids, ...second.pids, second.keeperPid], { withinMs: 10_000 });
  });

  test('a start after parent and keeper were killed ends the orphans and finds the data', async () => {
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    await withCollection(first.environment.MONGODB_URI!, (things) => things.insertOne({ name: 'kept' }));
    process.kill(first.keeperPid, 'SIGKILL');
    first.parent.kill('SIGKILL');
    const second = await startServers(dataDir);
    await waitUntilGone(first.pids, { withinMs: 0 });
    const count = await withCollection(second.environment.MONGODB_URI!, (things) => things.countDocuments());
    expect(count).toBe(1);
    second.parent.kill('SIGKILL');
    await waitUntilGone([...second.pids, second.keeperPid], { withinMs: 10_000 });
  });

  test('servers whose last port is in use or damaged on disk start on another with all data', async () => {
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    const oldUrl = first.environment.MONGODB_URI!;
    await withCollection(oldUrl, (things) => things.insertOne({ name: 'kept' }));
    first.parent.kill('SIGKILL');
    await waitUntilGone([...first.pids, first.keeperPid], { withinMs: 10_000 });
    await occupy(Number(new URL(oldUrl).port));
    await writeFile(join(dataDir, 'run', 'redis.port'), 'not a port');
    const second = await startServers(dataDir);
    expect(second.environment.MONGODB_URI).not.toBe(oldUrl);
    const count = await withCollection(second.environment.MONGODB_URI!, (things) => things.countDocuments());
    expect(count).toBe(1);
    second.parent.kill('SIGKILL');
    await waitUntilGone([...second.pids, second.keeperPid], { withinMs: 10_000 });
  });
});
