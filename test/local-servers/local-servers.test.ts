// Level: ci
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startNode, waitUntilGone } from '../support/processes/process-control.ts';

const program = join(import.meta.dirname, '../support/servers/local-servers.program.ts');

type Started = { pids: number[]; keeperPid: number; environment: { MONGODB_URI: string } };

/** Starts a process that runs the three servers, and returns their addresses. */
async function startServers(dataDir: string) {
  const parent = startNode([program, dataDir]);
  const line = await parent.waitForLine(/^started /);
  const started: Started = JSON.parse(line.slice('started '.length));
  /** Kills the parent. Its servers, and these processes, must end. */
  async function kill(others: readonly number[] = []): Promise<void> {
    parent.kill('SIGKILL');
    await waitUntilGone([...others, ...started.pids, started.keeperPid]);
  }
  async function withCollection<T>(use: (things: mongo.Collection) => Promise<T>): Promise<T> {
    const client = new mongo.MongoClient(started.environment.MONGODB_URI);
    try {
      return await use(client.db().collection('things'));
    } finally {
      await client.close();
    }
  }
  const names = () => withCollection(async (things) => (await things.find().toArray()).map(({ name }) => name));
  return {
    ...started,
    parent,
    kill,
    names,
    store: () => withCollection((things) => things.insertOne({ name: 'kept' })),
  };
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
    const { pids, kill } = await startServers(await makeFolder());
    expect(pids).toHaveLength(3);
    await kill();
  });

  test('a start right after a killed one finds all data at the same addresses', async () => {
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    await first.store();
    first.parent.kill('SIGKILL');
    const second = await startServers(dataDir);
    expect(await second.names()).toEqual(['kept']);
    expect(second.environment).toEqual(first.environment);
    await second.kill(first.pids);
  });

  test('a start after parent and keeper were killed ends the orphans and finds the data', async () => {
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    await first.store();
    process.kill(first.keeperPid, 'SIGKILL');
    first.parent.kill('SIGKILL');
    const second = await startServers(dataDir);
    await waitUntilGone(first.pids);
    expect(await second.names()).toEqual(['kept']);
    await second.kill();
  });

  test('servers whose last port is in use or damaged on disk start on another with all data', async () => {
    const dataDir = await makeFolder();
    const first = await startServers(dataDir);
    await first.store();
    await first.kill();
    await occupy(Number(new URL(first.environment.MONGODB_URI).port));
    await writeFile(join(dataDir, 'run', 'redis.port'), 'not a port');
    const second = await startServers(dataDir);
    expect(second.environment.MONGODB_URI).not.toBe(first.environment.MONGODB_URI);
    expect(await second.names()).toEqual(['kept']);
    await second.kill();
  });
});
