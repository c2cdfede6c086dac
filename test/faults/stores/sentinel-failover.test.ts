// Level: long
import { randomUUID } from 'node:crypto';
import { readConfig } from '#common/config/config.ts';
import { createLog } from '#common/platform/process/log.ts';
import { createGcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { createRevocations, watchRevocations } from '#common/platform/redis/revocations.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterAll, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startApis, stopApis } from '#test/support/product/api-fleet.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startLetterLoad } from '#test/support/stores/letter-load.ts';
import { type RedisSentinels, startRedisSentinels } from '#test/support/stores/redis-sentinels.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';
import { startReceiver } from '#test/support/webhooks/receiver.ts';

type Master = Awaited<ReturnType<RedisSentinels['master']>>;
type Fault = (master: Master) => unknown;
const faults: [name: string, strike: Fault, recover: Fault][] = [
  ['is killed', (master) => master.kill(), (master) => master.start()],
  ['hangs, and goes on later', (master) => master.freeze(), (master) => master.wake()],
];

describe('a Redis whose master', () => {
  let sentinels: RedisSentinels;
  const startStores = async () => {
    sentinels = await startRedisSentinels();
    return sentinels;
  };
  const world = startWorld({ startStores });
  const receiver = startReceiver();
  afterAll(killStartedPrograms);
  const product = openOnce(async () => {
    const ports = { api: await findFreePort(), workers: await findFreePort() };
    const apis = await startApis(world, 1, { METRICS_PORT: String(ports.api) });
    const WORKERS = 'fan-out,webhook-delivery,production,lifecycle,cleanup,scanner';
    const environment = { ...world.environment, WORKERS, METRICS_PORT: String(ports.workers - 1) };
    const workers = await startProductProcess('workers/main.ts', environment);
    return { ports: Object.values(ports), apis, workers };
  });

  async function expectRedisUp(): Promise<void> {
    for (const port of product.ports) {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toMatch(/dependency_up\{dependency="redis".*\} 1/);
    }
  }

  /** Sends letters beside a failover. */
  async function failOver(strike: Fault, recover: Fault): Promise<void> {
    await sentinels.settle();
    const sender = await aSender(world, { balanceCents: 100_000_000 });
    await sender.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const load = await startLetterLoad(product.apis, [sender]);
    await load.untilAccepted(20);
    const [master, oldPort] = [await sentinels.master(), await sentinels.masterPort()];
    await strike(master);
    await eventually(async () => expect(await sentinels.masterPort()).not.toBe(oldPort));
    await eventually(expectRedisUp);
    await load.untilAccepted(20);
    await recover(master);
    await sentinels.settle();

    const ids = await load.expectTruth();
    expect(load.refusals()).toBe(0);
    const reportedIds = () => new Set(receiver.received.map(({ body }) => body.mailJobId));
    await eventually(() => expect(ids.filter((id) => !reportedIds().has(id))).toEqual([]));
    await eventually(expectRedisUp);
    await expectInvariants();
  }

  test.each(faults)('%s: every letter is accepted meanwhile, and all are reported', (_name, strike, recover) =>
    failOver(strike, recover),
  );

  test('hangs: limits count on in each process, and revocations arrive from the new master', async () => {
    await sentinels.settle();
    const log = createLog('test', 'silent');
    const { redis: address } = readConfig(world.environment);
    const redis = createRedis(address, 'api', log);
    let fallbacks = 0;
    const onFallback = () => {
      fallbacks += 1;
    };
    const limiter = createGcraLimiter({ redis, prefix: randomUUID(), log, onFallback });
    const prefix = randomUUID();
    const revoked: string[] = [];
    const onRevoked = (id: string) => void revoked.push(id);
    let subscriptions = 0;
    const onMissed = () => {
      subscriptions += 1;
    };
    const watch = watchRevocations({ address, prefix, log }, { onRevoked, onMissed });
    const quota = { key: 'a', limit: 60, burst: 30 };
    const takeShared = async () => {
      fallbacks = 0;
      // Of a quota of its own: while Redis is not connected yet, each try takes from that of this process.
      await limiter.take({ ...quota, key: 'probe' });
      expect(fallbacks).toBe(0);
    };
    await eventually(takeShared);
    await eventually(() => expect(subscriptions).toBe(1));

    const master = await sentinels.master();
    master.freeze();
    let allowed = 0;
    const startMs = performance.now();
    await eventually(async () => {
      if ((await limiter.take(quota)).isAllowed) allowed += 1;
      expect(subscriptions).toBe(2);
    });
    // At most one quota of this process beside the one in Redis: a burst, and one more each second.
    expect(allowed).toBeLessThanOrEqual(2 * (quota.burst + (performance.now() - startMs) / 1_000) + 1);
    expect(allowed).toBeGreaterThanOrEqual(quota.burst);
    await eventually(takeShared);
    await createRevocations({ redis, prefix, log }).announce('key_1');
    await eventually(() => expect(revoked).toEqual(['key_1']));
    master.wake();
    await sentinels.settle();
    watch.close();
    redis.disconnect();
  });

  test('its processes have survived all of this', async () => {
    await stopApis(product.apis);
    product.workers.kill('SIGTERM');
    expect(await product.workers.ended).toBe(0);
  });
});
