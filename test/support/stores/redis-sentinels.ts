import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#common/platform/process/log.ts';
import { createRedis, type Redis } from '#common/platform/redis/redis.ts';
import { findRedis } from '#scripts/local-servers/binaries/find-redis.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { startRedis } from '#scripts/local-servers/start-redis.ts';
import { prepareServer, type ServerOptions, startListening } from '#scripts/local-servers/start-server.ts';
import { eventually } from '../jest.ts';
import { openMember } from './store-member.ts';

const masterName = 'letters';
/** A name of 127.0.0.1 which needs no file of hosts. Sockets show the address, sentinels this. */
const hostName = '127.1';
const sentinelPassword = 'only-for-tests';
const quietLog = createLog('test', 'fatal');

export type RedisSentinels = Awaited<ReturnType<typeof startRedisSentinels>>;

/**
 * Starts a Redis with two replicas, and three sentinels that require a password. `byName`: they name hosts instead of
 * addresses. They take a master for gone after `downAfterMs` without an answer.
 */
export async function startRedisSentinels({ byName = false, downAfterMs = 2_000 } = {}) {
  const host = byName ? hostName : '127.0.0.1';
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-sentinels-'));
  const keeper = await startKeeper();
  const binary = await findRedis({ environment: process.env, allowDownload: true, report: () => {} });
  const options = { keeper, binary };
  const three = ['1', '2', '3'];
  const servers = await Promise.all(
    three.map((number) =>
      startRedis({
        ...options,
        dataDir: join(dataDir, `redis-${number}`),
        args: ['--repl-diskless-sync-delay', '0', '--replica-announce-ip', host],
      }),
    ),
  );
  const ports = servers.map(({ port }) => port);
  const [firstPort = 0, ...replicaPorts] = ports;
  for (const port of replicaPorts) await ask(port, (redis) => redis.replicaof('127.0.0.1', firstPort));
  // A sentinel that starts earlier would look for replicas again only after 10 s.
  await untilReplicated(firstPort);
  const sentinelPorts = await Promise.all(
    three.map((number) => startSentinel({ ...options, dataDir }, number, { host, port: firstPort, downAfterMs })),
  );
  await eventually(async () => {
    for (const port of sentinelPorts) {
      const known = await askSentinel(port, 'MASTER');
      expectKnown(known, { 'num-slaves': '2', 'num-other-sentinels': '2', flags: 'master' });
    }
  });

  const masterPort = async () => Number((await askSentinel(sentinelPorts[0] ?? 0, 'GET-MASTER-ADDR-BY-NAME'))[1]);
  const members = servers.map(openMember);
  const hosts = sentinelPorts.map((port) => `127.0.0.1:${port}`);
  return {
    /** The variables of a process that uses these servers. */
    environment: {
      REDIS_URL: 'redis://sentinel',
      REDIS_SENTINELS: hosts.join(','),
      REDIS_SENTINEL_NAME: masterName,
      REDIS_SENTINEL_PASSWORD: sentinelPassword,
    },
    masterPort,
    /** Makes the sentinels promote a replica of a master that works, and waits until all of them name it. */
    async promoteReplica(): Promise<void> {
      const oldPort = await masterPort();
      const [first = 0] = sentinelPorts;
      await askSentinel(first, 'FAILOVER');
      const isNamed = async () => {
        for (const port of sentinelPorts) {
          const [, named] = await askSentinel(port, 'GET-MASTER-ADDR-BY-NAME');
          if (Number(named) === oldPort) throw new Error(`The sentinel at ${port} names the old master.`);
        }
      };
      await eventually(isNamed);
    },
    /** Returns the server that the sentinels take for the master. */
    async master() {
      const index = ports.indexOf(await masterPort());
      return members[index] ?? fail();
    },
    /** Waits until the sentinels see a master and two replicas that follow it, after the return of a member. */
    async settle(): Promise<void> {
      await untilReplicated(await masterPort());
    },
    async close(): Promise<void> {
      for (const member of members) member.wake();
      await keeper.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function fail(): never {
  throw new Error('The sentinels name a master that is not one of the servers.');
}

async function startSentinel(
  { keeper, binary, dataDir }: ServerOptions,
  number: string,
  { host, port: masterPort, downAfterMs }: { host: string; port: number; downAfterMs: number },
) {
  const { port, program } = await prepareServer(dataDir, `sentinel-${number}`);
  const file = join(program.cwd, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${sentinelPassword}`,
    'sentinel resolve-hostnames yes',
    `sentinel announce-hostnames ${host === hostName ? 'yes' : 'no'}`,
    `sentinel monitor ${masterName} ${host} ${masterPort} 2`,
    `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
    `sentinel failover-timeout ${masterName} 10000`,
    `sentinel parallel-syncs ${masterName} 2`,
  ];
  // The sentinel rewrites this file.
  await writeFile(file, `${settings.join('\n')}\n`);
  const more = { name: 'Sentinel', command: binary.path, args: [file, '--sentinel'], stopWithinMs: 5_000 };
  await startListening(keeper, { ...program, ...more, environment: { PATH: process.env.PATH ?? '' } }, port);
  return port;
}

/** Waits until both replicas have all data of a master. */
async function untilReplicated(masterPort: number): Promise<void> {
  const hasReplicas = async () => {
    const info = await ask(masterPort, (redis) => redis.info('replication'));
    if (info.match(/state=online/g)?.length !== 2) throw new Error(info);
  };
  await eventually(hasReplicas);
}

async function ask<T>(port: number, question: (redis: Redis) => Promise<T>, auth = ''): Promise<T> {
  const redis = createRedis({ url: `redis://${auth}127.0.0.1:${port}` }, 'worker', quietLog);
  return await question(redis).finally(() => redis.disconnect());
}

async function askSentinel(port: number, what: 'MASTER' | 'GET-MASTER-ADDR-BY-NAME' | 'FAILOVER'): Promise<string[]> {
  const answer = await ask(port, (redis) => redis.call('SENTINEL', what, masterName), `:${sentinelPassword}@`);
  return answer as string[];
}

/** `known` lists names and values in turn. */
function expectKnown(known: readonly string[], expected: Record<string, string>): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = known[known.indexOf(name) + 1];
    if (found !== value) throw new Error(`${name} is ${found}, not yet ${value}`);
  }
}
