import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { openBenchService } from '../bench-service.ts';
import { print, printRow } from '../measure.ts';
import { readTreeCpu } from '../process-cpu.ts';

const processes = 20;
const startsAtOnce = 4;
/** Long enough for first chores, migrations of caches and connections. */
const settleMs = 30_000;
/** The rarest regular statement comes once a minute. */
const measuredMs = 120_000;
const goal = { commandsPerS: 20, cpuPercent: 2 };

/** Not work: how a driver and a server watch each other. */
const watching = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions', 'serverStatus']);
const shownCommands = 8;

type Sample = { atMs: number; cpuMs: number; commands: Map<string, number> };

/**
 * Prints what twenty idle worker processes cost MongoDB: its commands per second, without those by which drivers watch the
 * server, and its share of a core, beside the same server without any process.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService());
  const database = 'idle';
  await service.openDatabase(database);
  const mongodb = service.stores.find(({ name }) => name === 'MongoDB');
  if (!mongodb) throw new Error('There is no MongoDB.');

  const sample = async (): Promise<Sample> => {
    const { ownMs, childrenMs } = readTreeCpu(mongodb.pid);
    return { atMs: performance.now(), cpuMs: ownMs + childrenMs, commands: await countCommands() };
  };
  const measure = async () => {
    await sleep(settleMs);
    const before = await sample();
    await sleep(measuredMs);
    return compare(before, await sample());
  };
  const alone = await measure();
  const startWorkers = () => service.startWorkers(database, { DATA_DIR: service.dataDir });
  await inParallel(Array.from({ length: processes }), startWorkers, startsAtOnce);
  const ours = await measure();

  print(`What ${processes} idle worker processes cost MongoDB, in ${measuredMs / 1_000} s.\n`);
  printRow('', 'ours', 'floor: no process', 'goal');
  printRow('commands/s', ours.workPerS.toFixed(1), alone.workPerS.toFixed(1), `< ${goal.commandsPerS}`);
  printRow('core, %', ours.cpuPercent.toFixed(2), alone.cpuPercent.toFixed(2), `< ${goal.cpuPercent} above the floor`);
  printRow('watching/s', ours.watchingPerS.toFixed(1), alone.watchingPerS.toFixed(1), '');
  const most = ours.perS.slice(0, shownCommands).map(([name, perS]) => `${name} ${perS.toFixed(2)}`);
  print(`\nMost frequent, per second: ${most.join(', ')}.`);
  const isReached =
    ours.workPerS < goal.commandsPerS && ours.cpuPercent - alone.cpuPercent < goal.cpuPercent ? 'reached' : 'MISSED';
  print(`Goals ${isReached}.`);
}

/** Returns how often the server has run each command since its start. */
async function countCommands(): Promise<Map<string, number>> {
  const { metrics } = await mongoose.connection.getClient().db('admin').command({ serverStatus: 1 });
  const counts = Object.entries<{ total?: number }>(metrics.commands);
  return new Map(counts.map(([name, { total }]) => [name, Number(total ?? 0)]));
}

function compare(before: Sample, after: Sample) {
  const seconds = (after.atMs - before.atMs) / 1_000;
  const perS = [...after.commands]
    .map(([name, total]) => [name, (total - (before.commands.get(name) ?? 0)) / seconds] as const)
    .filter(([, rate]) => rate > 0)
    .toSorted(([, left], [, right]) => right - left);
  const sum = (isCounted: (name: string) => boolean) =>
    perS.reduce((total, [name, rate]) => total + (isCounted(name) ? rate : 0), 0);
  return {
    perS,
    workPerS: sum((name) => !watching.has(name)),
    watchingPerS: sum((name) => watching.has(name)),
    cpuPercent: ((after.cpuMs - before.cpuMs) / seconds / 1_000) * 100,
  };
}
