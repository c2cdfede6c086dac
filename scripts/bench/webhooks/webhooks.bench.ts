import { createLog } from '#common/platform/process/log.ts';
import { createHints } from '#common/platform/redis/queues.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { median, readCpuMs, startProduct } from '../start-product.ts';
import { measureFirstByte } from './measure-first-byte.ts';
import { openCustomer, print, storeEvents, until, type WebhookBench } from './webhook-bench.ts';
import { startWebhookReceivers } from './webhook-receivers.ts';

const endpointCount = 100;
const perEndpoint = 100;
const rounds = 3;
const healthyCount = 2_000;
const slowCount = 60;
const slowAnswerMs = 2_000;
/** Slightly faster than ten concurrent posts can be answered. */
const slowEveryMs = 150;

/**
 * Measures deliveries against the goals: a backlog, a hanging neighbour, a slow endpoint, and the delay of one
 * delivery.
 */
export async function run(): Promise<void> {
  const product = await startProduct();
  const receivers = await startWebhookReceivers();
  const redis = createRedis(product.config.redis.url, 'bulk', createLog('bench', 'silent'));
  const hints = createHints({ redis, prefix: product.config.redis.queuePrefix, log: createLog('bench', 'silent') });
  try {
    const workers = await product.start('workers', 'workers/main.ts');
    const bench = { product, receivers, workers, notify: () => hints.notify('fan-out', ['evt_bench']) };
    await measureBacklog(bench);
    await measureNeighbour(bench);
    await measureSlow(bench);
    await measureFirstByte(bench);
  } finally {
    await hints.close();
    redis.disconnect();
    await product.close();
    await receivers.close();
  }
}

const isRecorded = async () => (await Delivery.findOne({ state: { $in: ['due', 'sending'] } })) === null;

/**
 * Measures CPU and rate of a backlog. The workers are suspended while the events are stored, so all wait at the start.
 */
async function measureBacklog(bench: WebhookBench): Promise<void> {
  const { product, receivers, workers, notify } = bench;
  const names = Array.from({ length: endpointCount }, (_, index) => `e${index}`);
  const customers: string[] = [];
  for (const name of names) customers.push(await openCustomer(bench, name));
  const measured = [workers, ...product.stores.filter(({ name }) => !/object/i.test(name))];
  const total = endpointCount * perEndpoint;
  const rates: number[] = [];
  const costs: number[][] = [];
  // The first round is a warm-up and is discarded.
  for (let round = 0; round <= rounds; round += 1) {
    receivers.reset();
    process.kill(workers.pid, 'SIGSTOP');
    await storeEvents(customers, total);
    const before = await Promise.all(measured.map(({ pid }) => readCpuMs(pid)));
    const startedMs = performance.now();
    process.kill(workers.pid, 'SIGCONT');
    notify();
    await until(() => receivers.total() === total);
    const elapsedMs = receivers.lastMs() - startedMs;
    await until(isRecorded);
    const after = await Promise.all(measured.map(({ pid }) => readCpuMs(pid)));
    if (round === 0) continue;
    rates.push((total / elapsedMs) * 1_000);
    costs.push(after.map((ms, index) => (ms - (before[index] ?? 0)) / total));
  }
  const each = measured.map(({ name }, index) => `${name} ${median(costs.map((cost) => cost[index] ?? 0)).toFixed(3)}`);
  const cost = median(costs.map((one) => one.reduce((sum, ms) => sum + ms, 0)));
  print(
    `${total} waiting over ${endpointCount} endpoints, CPU ms a delivery`,
    cost.toFixed(3),
    '<= 0.55',
    cost <= 0.55,
  );
  print(`  of which ${each.join(', ')}`, '', '');
  print('  deliveries per second', median(rates).toFixed(0), '>= 2000', median(rates) >= 2_000);
}

/** Measures the rate of a healthy endpoint alone and beside one that hangs. */
async function measureNeighbour(bench: WebhookBench): Promise<void> {
  const { receivers, notify } = bench;
  const healthy = await openCustomer(bench, 'healthy');
  const hanging = await openCustomer(bench, 'hanging');
  const send = async () => {
    receivers.reset();
    await storeEvents([healthy], healthyCount);
    const startedMs = performance.now();
    notify();
    await until(() => receivers.countOf('healthy') === healthyCount);
    return performance.now() - startedMs;
  };
  await send();
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await send());
    receivers.hang('hanging', true);
    await storeEvents([hanging], healthyCount);
    notify();
    await until(() => receivers.countOf('hanging') >= 10);
    beside.push(await send());
    receivers.hang('hanging', false);
    await Delivery.deleteMany({ organizationId: hanging });
    await Endpoint.deleteMany({ organizationId: hanging });
  }
  const ratio = median(alone) / median(beside);
  print('healthy endpoint beside one that hangs / alone', ratio.toFixed(2), '>= 0.90', ratio >= 0.9);
  print(`  alone ${perS(alone)}/s, beside ${perS(beside)}/s`, '', '');
}

const perS = (durationsMs: readonly number[]) => Math.round((healthyCount / median(durationsMs)) * 1_000);

/** Measures deliveries to an endpoint that answers each after 2 s, while events arrive one by one. */
async function measureSlow(bench: WebhookBench): Promise<void> {
  const { receivers, notify } = bench;
  const slow = await openCustomer(bench, 'slow');
  receivers.delay('slow', slowAnswerMs);
  receivers.reset();
  const startedMs = performance.now();
  for (let count = 1; count <= slowCount; count += 1) {
    await storeEvents([slow], 1);
    notify();
    await until(() => performance.now() - startedMs >= count * slowEveryMs);
  }
  await until(() => receivers.countOf('slow') === slowCount);
  await until(isRecorded);
  const perSecond = slowCount / ((receivers.lastMs() + slowAnswerMs - startedMs) / 1_000);
  print('endpoint that answers after 2 s, deliveries per second', perSecond.toFixed(2), '>= 4', perSecond >= 4);
}
