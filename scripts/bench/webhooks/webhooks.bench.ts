import { readCpuMs } from '#common/documents/isolation/process-usage.ts';
import { createLog } from '#common/platform/process/log.ts';
import { createHints } from '#common/platform/redis/queues.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import { openBenchService } from '../bench-service.ts';
import { alternate, median, print, readMemoryMb } from '../measure.ts';
import type { BenchAccount } from '../open-bench-account.ts';
import { measureFirstByte } from './measure-first-byte.ts';
import {
  database,
  openCustomer,
  printFigure,
  storeEvents,
  until,
  variables,
  type WebhookBench,
} from './webhook-bench.ts';
import { startWebhookReceivers } from './webhook-receivers.ts';

const endpointCount = 100;
const perEndpoint = 100;
const rounds = 3;
const maxMemoryMb = 400;
const healthyCount = 2_000;
const slowCount = 60;
const slowAnswerMs = 2_000;
/** Slightly faster than ten concurrent posts can be answered. */
const slowEveryMs = 150;

/**
 * Measures deliveries against the goals: a backlog, a hanging neighbour, a slow endpoint, and the delay of one
 * delivery.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const receivers = held.use(await startWebhookReceivers());
  const service = held.use(await openBenchService());
  const config = await service.openDatabase(database);
  await importTariffs(tariffs);
  const log = createLog('bench', 'silent');
  const redis = createRedis(config.redis, 'bulk', log);
  const hints = createHints({ redis, prefix: config.redis.queuePrefix, log });
  const workers = await service.startWorkers(database, variables);
  const notify = () => hints.notify('fan-out', ['evt_bench']);
  const bench = { service, config, receivers, workers, notify };
  await measureBacklog(bench);
  await measureNeighbour(bench);
  await measureSlow(bench);
  await measureFirstByte(bench);
  await hints.close();
  redis.disconnect();
}

const isRecorded = async () => (await Delivery.findOne({ state: { $in: ['due', 'sending'] } })) === null;

/**
 * Measures CPU and rate of a backlog. The workers are suspended while the events are stored, so all wait at the start.
 */
async function measureBacklog(bench: WebhookBench): Promise<void> {
  const { service, receivers, workers, notify } = bench;
  const customers: BenchAccount[] = [];
  for (let index = 0; index < endpointCount; index += 1) customers.push(await openCustomer(bench, `e${index}`));
  const measured = [{ ...workers, name: 'workers' }, ...service.stores.filter(({ name }) => !/object/i.test(name))];
  const readAllCpuMs = () => measured.map(({ pid }) => readCpuMs(pid) ?? 0);
  const total = endpointCount * perEndpoint;
  const rates: number[] = [];
  const costs: number[][] = [];
  // The first round is a warm-up and is discarded.
  for (let round = 0; round <= rounds; round += 1) {
    receivers.reset();
    process.kill(workers.pid, 'SIGSTOP');
    await storeEvents(customers, total);
    const before = readAllCpuMs();
    const startedMs = performance.now();
    process.kill(workers.pid, 'SIGCONT');
    notify();
    await until(() => receivers.total() === total);
    const elapsedMs = receivers.lastMs() - startedMs;
    await until(isRecorded);
    const after = readAllCpuMs();
    if (round === 0) continue;
    rates.push((total / elapsedMs) * 1_000);
    costs.push(after.map((ms, index) => (ms - (before[index] ?? 0)) / total));
  }
  const each = measured.map(({ name }, index) => `${name} ${median(costs.map((cost) => cost[index] ?? 0)).toFixed(3)}`);
  const cost = median(costs.map((one) => one.reduce((sum, ms) => sum + ms, 0)));
  const what = `${total} waiting over ${endpointCount} endpoints, CPU ms a delivery`;
  printFigure(what, cost, 3, { atMost: 0.55 });
  print(`  of which ${each.join(', ')}`);
  printFigure('  deliveries per second', median(rates), 0, { atLeast: 2_000 });
  printFigure('  most memory of the workers, MB', readMemoryMb(workers.pid, 'VmHWM'), 0, { atMost: maxMemoryMb });
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
  const sendBeside = async () => {
    receivers.delay('hanging', Number.POSITIVE_INFINITY);
    await storeEvents([hanging], healthyCount);
    notify();
    await until(() => receivers.countOf('hanging') >= 10);
    const ms = await send();
    receivers.delay('hanging', 0);
    const { organizationId } = hanging.owner;
    await Delivery.deleteMany({ organizationId });
    await Endpoint.deleteMany({ organizationId });
    return ms;
  };
  const { ours: alone, floor: beside } = await alternate(rounds, send, sendBeside);
  printFigure('healthy endpoint beside one that hangs / alone', median(alone) / median(beside), 2, { atLeast: 0.9 });
  print(`  alone ${perS(alone)}/s, beside ${perS(beside)}/s`);
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
  printFigure('endpoint that answers after 2 s, deliveries per second', perSecond, 2, { atLeast: 4 });
}
