import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { Config } from '#common/config/config.ts';
import { workerNames } from '#common/config/variables.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import { OperatorError } from '#scripts/program/operator-error.ts';
import { openBenchService } from '../bench-service.ts';
import { listChildren } from '../measure.ts';
import { readTreeCpu } from '../process-cpu.ts';
import { type LetterCosts, type Part, parts } from './capacity-model.ts';

/** Processes that stand for machines of one core each: the first has the stores too, the second this process. */
export type Machines = {
  config: Config;
  /** Of the API of each machine. */
  origins: string[];
  /** CPU time used so far by each part, in milliseconds. */
  cpuMs(): LetterCosts;
};

const variables = { WEBHOOK_ALLOW_LOOPBACK: 'true', SANDBOX_STEP_DELAY_S: '1' };
const partOfStore: Record<string, Part> = { MongoDB: 'mongodb', Redis: 'redis' };
const neededCores = 2;

/** Starts stores, and the processes of `count` machines, each on a core of its own. All of it ends with `held`. */
export async function openMachines(held: AsyncDisposableStack, count: 1 | 2): Promise<Machines> {
  if (process.platform !== 'linux' || cpus().length < neededCores)
    throw new OperatorError(`This benchmark needs Linux and ${neededCores} cores: it gives each machine one of them.`);
  // First, because the stores are children of this process.
  keepOnCore(process.pid, 1);
  const service = held.use(await openBenchService());
  const database = `capacity-${count}`;
  const config = await service.openDatabase(database);
  await importTariffs(tariffs);
  const running: { part: Part; pid: number }[] = [];
  const add = (part: Part, pid: number, core: number) => {
    keepOnCore(pid, core);
    running.push({ part, pid });
  };
  for (const { name, pid } of service.stores) add(partOfStore[name] ?? 'objectStore', pid, 0);
  const all = { ...variables, DATA_DIR: service.dataDir };
  const others = workerNames.filter((name) => name !== 'render').join();
  const origins: string[] = [];
  for (let core = 0; core < count; core += 1) {
    const api = await service.startApi(database, all);
    origins.push(api.origin);
    add('api', api.pid, core);
    add('workers', (await service.startWorkers(database, { ...all, WORKERS: others })).pid, core);
    add('render', (await service.startWorkers(database, { ...all, WORKERS: 'render' })).pid, core);
  }
  return {
    config,
    origins,
    cpuMs() {
      const used = Object.fromEntries(parts.map((part) => [part, 0])) as LetterCosts;
      for (const { part, pid } of running) {
        const { ownMs, childrenMs } = readTreeCpu(pid);
        used[part] += ownMs + childrenMs;
      }
      return used;
    },
  };
}

/** Keeps a process, its threads, its children and what they start from now on, on one core. */
function keepOnCore(pid: number | string, core: number): void {
  execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' });
  for (const child of listChildren(pid)) keepOnCore(child, core);
}
