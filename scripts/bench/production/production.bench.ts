import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { Batch, type BatchRecord } from '#common/production/batches/batch.model.ts';
import { closeCutoffEarly } from '#common/production/operator/close-cutoff-early.ts';
import { type ApiClient, createApiClient } from '#scripts/demo/api-client.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import { type BenchService, openBenchService } from '../bench-service.ts';
import { median, print, readMemoryMb } from '../measure.ts';
import { openBenchAccount } from '../open-bench-account.ts';
import { readTreeCpu } from '../process-cpu.ts';
import { printFigure } from '../webhooks/webhook-bench.ts';
import { renderAlone, writeAgain } from './floor.ts';
import { makeLetters, sendLetters, storeRendered } from './live-letters.ts';

const database = 'production';
/** Fewer for a quick look. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const letterCount = 1_000;
const itemCount = 10_000;
const goals = { seconds: { atMost: 60 }, memoryMb: { atMost: 500 }, cpuRatio: { atMost: 3 } };
const withinMs = 150_000;

type Bench = { service: BenchService; config: Config; api: ApiClient; hotFolder: string };

/** The seconds of each part of a round and of the floor. `cpu`: of the workers with their children. */
type Round = Record<'render' | 'collect' | 'write' | 'cpu' | 'floorRender' | 'floorCpu' | 'floorWrite', number>;

/**
 * Prints how long 1,000 live letters of 3 pages take from the start of the workers to their batch in a hot folder, beside
 * rendering them and writing their files alone; then the memory of the workers for batches of 10,000 items.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const temporary = held.use(await mkdtempDisposable(join(tmpdir(), 'bluejay-bench-production-')));
  const service = held.use(await openBenchService());
  const config = await service.openDatabase(database);
  await importTariffs(tariffs);
  const { origin } = await service.startApi(database, { LOG_LEVEL: 'error' });
  const { key } = await openBenchAccount(config, 'live');
  const api = createApiClient({ baseUrl: origin, key });
  const bench = { service, config, api, hotFolder: join(temporary.path, 'press') };

  const letters = await makeLetters(letterCount);
  const results: Round[] = [];
  while (results.length < rounds) results.push(await runRound(bench, letters, temporary.path));
  report(results);
  for (const recipients of [1, 100]) await measureMemory(bench, recipients);
}

async function startWorkers({ service, hotFolder }: Bench) {
  const variables = { LOG_LEVEL: 'error', PRINT_PROVIDERS: 'hot-folder', HOT_FOLDER: hotFolder };
  return await service.startWorkers(database, variables);
}

async function runRound(bench: Bench, letters: readonly Buffer[], folder: string): Promise<Round> {
  await sendLetters(bench.api, letters);
  const clock = startClock();
  const workers = await startWorkers(bench);
  await until(async () => !(await MailJob.exists({ printFile: null })));
  const render = clock();
  const { batch, collect, write } = await bringToPress(clock);
  const { ownMs, childrenMs } = readTreeCpu(workers.pid);
  await workers.stop();
  const floorWrite = (await writeAgain(join(bench.hotFolder, 'out', batch._id))) / 1_000;
  const { wallMs, cpuMs } = await renderAlone(letters, folder);
  const [floorRender, floorCpu] = [(wallMs * letterCount) / 1_000, (cpuMs * letterCount) / 1_000];
  return { render, collect, write, cpu: (ownMs + childrenMs) / 1_000, floorRender, floorCpu, floorWrite };
}

/** Returns a function that returns the seconds since its last call. */
function startClock(): () => number {
  let lastMs = performance.now();
  return () => {
    const seconds = (performance.now() - lastMs) / 1_000;
    lastMs += seconds * 1_000;
    return seconds;
  };
}

/** Closes the batch of all letters that wait, and waits until it is in the hot folder. */
async function bringToPress(clock: () => number) {
  const waiting = { status: 'queued', batchId: { $exists: false } } as const;
  const { dropAt } = await MailJob.findOne(waiting).orFail().lean<MailJobRecord>();
  await closeCutoffEarly(dropAt, undefined, { hints: noHints, at: systemClock.now() });
  await until(async () => !(await MailJob.exists(waiting)));
  const collect = clock();
  const last = () => Batch.findOne().sort({ _id: -1 }).orFail().lean<BatchRecord>();
  await until(async () => (await last()).state === 'at_press');
  return { batch: await last(), collect, write: clock() };
}

/** The scanner finds due work. */
const noHints = { notify: () => {} } as never;

async function until(isDone: () => Promise<boolean>): Promise<void> {
  if (await pollUntil(isDone, { everyMs: 50, withinMs })) return;
  throw new Error(`The batch was not handed over within ${withinMs / 1_000} s.`);
}

function report(results: readonly Round[]): void {
  const total = ({ render, collect, write }: Round) => render + collect + write;
  const floor = ({ floorRender, floorWrite }: Round) => floorRender + floorWrite;
  const show = (what: string, of: (round: Round) => number, digits = 1, goal?: { atMost: number }) =>
    printSpread(what, results.map(of), digits, goal);
  print(`${letterCount} live letters of 3 pages, from the start of the workers to the hot folder; ${rounds} rounds`);
  show('seconds in all', total, 1, goals.seconds);
  show('  rendering', ({ render }) => render);
  show('  collecting', ({ collect }) => collect);
  show('  copies and writing', ({ write }) => write);
  show('CPU seconds of the workers and their document processes', ({ cpu }) => cpu);
  show('floor: rendering alone, seconds', ({ floorRender }) => floorRender);
  show('floor: rendering alone, CPU seconds', ({ floorCpu }) => floorCpu);
  show('floor: writing the same files, flushed, seconds', ({ floorWrite }) => floorWrite, 2);
  show('seconds in all / floor', (round) => total(round) / floor(round), 2);
  // The bound is on CPU time, which other programs of the machine change less.
  show('CPU seconds / floor', ({ cpu, floorCpu }) => cpu / floorCpu, 2, goals.cpuRatio);
}

function printSpread(what: string, values: readonly number[], digits: number, goal?: { atMost: number }): void {
  const spread = `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
  printFigure(`${what} (${spread})`, median(values), digits, goal);
}

/** Prints the peak memory of a worker process that hands over one batch. Linux only. */
async function measureMemory(bench: Bench, recipients: number): Promise<void> {
  const template = await MailJob.findOne({ printFile: { $ne: null } })
    .orFail()
    .lean<MailJobRecord>();
  await storeRendered(template, { letters: itemCount / recipients, recipients }, bench.config);
  const workers = await startWorkers(bench);
  const { batch, collect, write } = await bringToPress(startClock());
  const peakMb = readMemoryMb(workers.pid, 'VmHWM');
  const { ownMs } = readTreeCpu(workers.pid);
  await workers.stop();
  print('');
  print(`a batch of ${batch.itemCount} items: ${itemCount / recipients} letters to ${recipients} recipients`);
  printFigure('peak memory of the worker process, MB', peakMb, 0, goals.memoryMb);
  print(
    `  collected in ${collect.toFixed(1)} s, written in ${write.toFixed(1)} s, ${(ownMs / 1_000).toFixed(1)} s of CPU`,
  );
}
