// Level: push
import { readConfig } from '#common/config/config.ts';
import { createLog, type Log } from '#common/platform/process/log.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { required } from '#test/support/project/environment.ts';
import { startRedisSentinels } from '#test/support/stores/redis-sentinels.ts';

/** A test promotes a replica itself, so a master that hangs for a moment must stay. */
const sentinels = openOnce(() => startRedisSentinels({ byName: true, downAfterMs: 60_000 }));

/** Opens a client with these variables changed. Returns it with the warnings that it logs. */
function open(variables: Record<string, string>) {
  const { redis: address } = readConfig({ ...required, ...sentinels.environment, ...variables });
  const warnings: string[] = [];
  const log = createLog('test', 'silent');
  log.warn = ((fields: unknown) => void warnings.push(JSON.stringify(fields))) as Log['warn'];
  return { redis: createRedis(address, 'worker', log), warnings };
}

test('a client finds the master while one of its sentinels is unreachable', async () => {
  const { redis, warnings } = open({ REDIS_SENTINELS: `127.0.0.1:1,${sentinels.environment.REDIS_SENTINELS}` });
  const info = await redis.info('server').finally(() => redis.disconnect());
  expect(info).toContain(`tcp_port:${await sentinels.masterPort()}`);
  expect(warnings).toEqual([]);
});

test.each([
  ['the name', { REDIS_SENTINEL_NAME: 'parcels' }, 'No such master with that name: set REDIS_SENTINEL_NAME'],
  ['the password', { REDIS_SENTINEL_PASSWORD: 'guessed' }, 'set REDIS_SENTINEL_PASSWORD'],
  [
    'the addresses',
    { REDIS_SENTINELS: '127.0.0.1:1' },
    '127.0.0.1:1 because Connection is closed.: check REDIS_SENTINELS',
  ],
])('%s of the sentinels, if wrong, is named in the log', async (_what, variables, message) => {
  const { redis, warnings } = open(variables);
  try {
    await eventually(() => expect(warnings.join()).toContain(message));
  } finally {
    redis.disconnect();
  }
});

test('a client leaves the old master once, although each sentinel announces the new one', async () => {
  const { REDIS_SENTINELS, REDIS_SENTINEL_PASSWORD } = sentinels.environment;
  const { redis } = open({});
  const log = createLog('test', 'silent');
  const heard = REDIS_SENTINELS.split(',').map((host) =>
    createRedis({ url: `redis://:${REDIS_SENTINEL_PASSWORD}@${host}` }, 'worker', log),
  );
  let announcements = 0;
  let connections = 0;
  redis.on('connect', () => {
    connections += 1;
  });
  try {
    await redis.ping();
    for (const sentinel of heard) {
      await sentinel.subscribe('+switch-master');
      sentinel.on('message', () => {
        announcements += 1;
      });
    }
    await sentinels.promoteReplica();
    await eventually(() => expect(announcements).toBe(3));
    expect(await redis.info('server')).toContain(`tcp_port:${await sentinels.masterPort()}`);
    // Sentinels demote the old master, which ends its connections, only seconds later.
    expect(connections).toBe(2);
  } finally {
    for (const client of [redis, ...heard]) client.disconnect();
  }
});
