import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#common/config/config.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { type BenchServer, openBenchService } from '../bench/bench-service.ts';
import tariffs from '../demo/tariffs.json' with { type: 'json' };
import type { KeptProcess } from '../local-servers/keeper/start-keeper.ts';
import { supervise } from '../supervisor/supervise.ts';

/** A process of the product or a store, which is restarted whenever it ends. */
export type SoakProgram = {
  name: string;
  /** Whether its memory must not grow. That of MongoDB grows until its cache is full. */
  isBounded: boolean;
  /** Undefined while it is down. */
  process: KeptProcess | undefined;
  /** Times that it was started again. */
  restarts: number;
  /** Kills it with SIGKILL, and settles when it serves again, at least `downS` later. */
  kill(downS: number): Promise<void>;
};

export type Installation = {
  config: Config;
  /** Of the processes of the API. */
  origins: string[];
  programs: SoakProgram[];
  /** Log files of the product's own processes. */
  logFiles: string[];
  dataDir: string;
  /** Ends that no fault of the run has caused. */
  unexpected: string[];
  /** Rejects when a program cannot be kept running. */
  failed: Promise<never>;
};

const database = 'soak';
const processesOfEach = 2;
const variables = {
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  PRINT_PROVIDERS: 'simulated',
  /** The shortest delay that can be configured. */
  SANDBOX_STEP_DELAY_S: '1',
};
/** Faults are never closer to each other: a program that ends more often has a fault of its own. */
const backOffMs = [100, 100, 100, 100, 1_000, 5_000];

/** Starts stores, two processes of the API and two of the workers on a temporary folder, and supervises them. */
export async function openInstallation(
  held: AsyncDisposableStack,
  report: (line: string) => void,
): Promise<Installation> {
  const service = held.use(await openBenchService());
  const { dataDir } = service;
  const config = await service.openDatabase(database);
  await importTariffs(tariffs);
  const servers: (BenchServer & { title: string })[] = [];
  for (let n = 1; n <= processesOfEach; n += 1) {
    const all = { ...variables, DATA_DIR: dataDir };
    servers.push({ ...(await service.startApi(database, all)), title: `API ${n}` });
    servers.push({ ...(await service.startWorkers(database, all)), title: `workers ${n}` });
  }
  const stopping = new AbortController();
  held.defer(() => stopping.abort());
  const unexpected: string[] = [];
  const watch = (options: Watched) => watchProgram(options, { stopping: stopping.signal, report, unexpected });
  const watched = [
    ...servers.map(({ title, process, restart }) => watch({ name: title, isBounded: true, process, restart })),
    ...service.servers.map(({ name, process, restart }) => {
      const isBounded = name !== 'MongoDB';
      const forget = name === 'Redis' ? () => removeRedisData(dataDir) : async () => {};
      return watch({ name, isBounded, process, restart: () => forget().then(restart) });
    }),
  ];
  return {
    config,
    dataDir,
    unexpected,
    origins: servers.filter(({ title }) => title.startsWith('API')).map(({ origin }) => origin),
    programs: watched.map(({ program }) => program),
    logFiles: servers.map(({ logFile }) => logFile),
    failed: Promise.race(watched.map(({ failed }) => failed)),
  };
}

/** Redis may lose all data at any time: the product must recover from that. */
async function removeRedisData(dataDir: string): Promise<void> {
  const paths = ['appendonlydir', 'dump.rdb'].map((name) => join(dataDir, 'redis', name));
  for (const path of paths) await rm(path, { recursive: true, force: true });
}

type Watched = { name: string; isBounded: boolean; process: KeptProcess; restart(): Promise<KeptProcess> };
type WatchOptions = { stopping: AbortSignal; report: (line: string) => void; unexpected: string[] };

function watchProgram(
  { name, isBounded, process: first, restart }: Watched,
  { stopping, report, unexpected }: WatchOptions,
): { program: SoakProgram; failed: Promise<never> } {
  let down: { untilMs: number; isUp: PromiseWithResolvers<void> } | undefined;
  const program: SoakProgram = {
    name,
    isBounded,
    process: first,
    restarts: 0,
    async kill(downS) {
      const { pid } = program.process ?? {};
      if (pid === undefined) throw new Error(`${name} is down already`);
      const isUp = Promise.withResolvers<void>();
      down = { untilMs: performance.now() + downS * 1_000, isUp };
      process.kill(pid, 'SIGKILL');
      await isUp.promise;
    },
  };
  const noticeEnd = async (kept: KeptProcess) => {
    const { code, signal } = await kept.ended;
    program.process = undefined;
    if (!down && !stopping.aborted) unexpected.push(`${name} ended with ${signal ?? `exit code ${code}`}`);
  };
  void noticeEnd(first);
  const restartLater = async () => {
    await sleep(Math.max(0, (down?.untilMs ?? 0) - performance.now()));
    const kept = await restart();
    program.process = kept;
    program.restarts += 1;
    down?.isUp.resolve();
    down = undefined;
    void noticeEnd(kept);
    return kept;
  };
  const supervised = { name, process: first, restart: restartLater, lastLines: () => [] };
  const failed = supervise(supervised, { report, stopping, backOffMs }).then(() => new Promise<never>(() => {}));
  failed.catch(() => {});
  return { program, failed };
}
