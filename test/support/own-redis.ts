import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../common/platform/log.ts';
import { createRedis } from '../../common/platform/redis.ts';
import { findRedis } from '../../scripts/local-servers/find-redis.ts';
import { startKeeper } from '../../scripts/local-servers/start-keeper.ts';
import { startRedis } from '../../scripts/local-servers/start-redis.ts';

export type OwnRedis = {
  url: string;
  /** Makes Redis forget everything, however long a busy machine takes over it. */
  flush(): Promise<void>;
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
  const url = server.environment.REDIS_URL ?? '';
  let running = server.process;

  return {
    url,
    async flush() {
      const redis = createRedis(url, 'worker', createLog('test', 'fatal'));
      await redis.flushall().finally(() => redis.disconnect());
    },
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
