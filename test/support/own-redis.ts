import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '../../scripts/local-servers/find-redis.ts';
import { startKeeper } from '../../scripts/local-servers/start-keeper.ts';
import { startRedis } from '../../scripts/local-servers/start-redis.ts';

export type OwnRedis = {
  url: string;
  /** Takes Redis away; what it holds stays on its disk. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** A Redis for one test file, which may flush, stop and kill it: the shared one serves the other files. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-redis-'));
  const keeper = await startKeeper();
  const binary = await findRedis({ environment: process.env, allowDownload: true, report: () => {} });
  const server = await startRedis({ keeper, binary, dataDir });
  let running = server.process;

  return {
    url: server.environment.REDIS_URL ?? '',
    stop: () => running.stop(),
    async start() {
      running = await server.restart();
    },
    async close() {
      await keeper.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
