import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#common/platform/process/log.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { findRedis } from '#scripts/local-servers/binaries/find-redis.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { startRedis } from '#scripts/local-servers/start-redis.ts';
import { freeze } from '../processes/process-control.ts';

/** Starts a Redis for one test file, which may flush, stop and restart it, unlike the shared one. */
export async function startOwnRedis(args: readonly string[] = []) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-redis-'));
  const keeper = await startKeeper();
  const binary = await findRedis({ environment: process.env, allowDownload: true, report: () => {} });
  const server = await startRedis({ keeper, binary, dataDir, args });
  const url = server.environment.REDIS_URL ?? '';
  let running = server.process;

  return {
    url,
    /** Deletes all data. Waits as long as it takes. */
    async flush() {
      const redis = createRedis({ url }, 'worker', createLog('test', 'fatal'));
      await redis.flushall().finally(() => redis.disconnect());
    },
    /** Stops Redis. Its data stays on disk. */
    stop: () => running.stop(),
    /** Suspends Redis: it keeps its connections and answers nothing. Returns a function that resumes it. */
    freeze: () => freeze(running.pid),
    async start() {
      running = await server.restart();
    },
    async close() {
      await keeper.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
