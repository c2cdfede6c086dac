// Level: ci
import { createLog } from '#common/platform/process/log.ts';
import { refuseCluster } from '#common/platform/redis/refuse-cluster.ts';
import { afterEach, expect, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms, startNode } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startOwnRedis } from '#test/support/servers/own-redis.ts';

const world = startWorld();
const cluster = openOnce(() => startOwnRedis(['--cluster-enabled', 'yes']));
const standalone = openOnce(() => startOwnRedis());
afterEach(killStartedPrograms);
const log = createLog('test', 'silent');

test.each(['api/server.ts', 'workers/main.ts'])('%s refuses a Redis Cluster at its start', async (program) => {
  const ports = { PORT: '0', WEB_PORT: '0', METRICS_PORT: '0' };
  const environment = { ...world.environment, ...ports, LOG_LEVEL: 'fatal', REDIS_URL: cluster.url };
  const started = startNode([program], { environment });
  expect(await started.ended).toBe(1);
  expect(started.output()).toBe(
    'Cannot start: Redis is a node of a Redis Cluster, which Bluejay cannot use. Set REDIS_URL to a server with ' +
      '`cluster-enabled no`, or REDIS_SENTINELS and REDIS_SENTINEL_NAME to servers with a failover by Sentinel.\n',
  );
});

test('a single server is accepted, and one that does not answer is not waited for', async () => {
  await refuseCluster({ url: standalone.url }, log);
  await standalone.stop();
  await refuseCluster({ url: standalone.url }, log);
});
