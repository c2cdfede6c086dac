import { statfs } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { makeLetters } from '../bench/production/live-letters.ts';
import { OperatorError } from '../program/operator-error.ts';
import { isEmpty, readBacklog, redeliverWaiting } from './backlog.ts';
import { createCaller } from './caller.ts';
import { type Check, checkRecords } from './checks/check-records.ts';
import { checkMemory, checkRequests, checkRestarts } from './checks/judge-run.ts';
import { type MemoryRow, watchMemory } from './checks/watch-memory.ts';
import { openCustomers } from './customers.ts';
import { driveLoad, type LoadResult, measureMaximum } from './drive-load.ts';
import { planFaults } from './fault-plan.ts';
import { type Installation, openInstallation } from './installation.ts';
import { type MadeFault, makeFaults } from './make-faults.ts';
import type { World } from './perform.ts';
import { type SoakReceiver, startSoakReceiver } from './receiver.ts';
import { createRequestLog, type KindRow } from './request-log.ts';
import { startOperating } from './start-operating.ts';

export type SoakOptions = {
  minutes: number;
  seed: number;
  /** Arrivals per second. Measured when absent. */
  perS?: number | undefined;
  report: (line: string) => void;
  signal: AbortSignal;
};

export type SoakResult = {
  /** Null when the rate was given. */
  maximumPerS: number | null;
  perS: number;
  load: LoadResult;
  faults: MadeFault[];
  requests: KindRow[];
  memory: MemoryRow[];
  checks: Check[];
};

/** Of the measured maximum. */
const loadShare = 0.6;
/** A minute of load at the highest rate stores less than 100 MB. */
const [leastFreeBytes, bytesPerMinute] = [2e9, 100e6];
const maxPerS = 200;
const idleWithinMs = 60_000;
/** For each number of callers, four numbers at most. */
const stepS = { least: 15, most: 40, share: 0.05 };
const documentCount = 100;

/** Starts an installation, loads it with faults, and checks what it has promised. All of it ends with `held`. */
export async function runSoak(options: SoakOptions, held: AsyncDisposableStack): Promise<SoakResult> {
  const { minutes, seed, report, signal } = options;
  const installation = await openInstallation(held, report);
  await requireSpace(installation, minutes);
  const receiver = held.use(await startSoakReceiver());
  const log = createRequestLog();
  const caller = createCaller(installation.origins, log);
  held.defer(() => caller.close());
  const customers = await openCustomers({ config: installation.config, caller, receiver });
  const documents = await makeLetters(documentCount);
  const world: World = { seed, caller, customers, documents, records: { letters: [], bulks: [], violations: [] } };
  const run = async (): Promise<SoakResult> => {
    const operator = startOperating();
    const { maximumPerS, perS } = await chooseRate(world, receiver, options);
    log.reset();
    const memory = watchMemory(installation.programs);
    report(`load: ${perS.toFixed(1)} arrivals/s for ${minutes} min on ${cpus().length} cores`);
    const forS = minutes * 60;
    const [load, faults] = await Promise.all([
      driveLoad(world, { perS, forS, signal }),
      makeFaults(planFaults(seed, forS), { installation, receiver, customers, caller, log, report, signal }),
    ]);
    const [requests, memoryRows] = [log.rows(), memory.stop()];
    const backlog = await checkBacklog(world);
    await operator.stop();
    report('checking what is stored');
    const checks = [
      ...(await checkRecords(world, { installation, receiver })),
      checkRequests(log, world.records, load),
      backlog,
      checkMemory(memoryRows),
      checkRestarts(installation, faults),
    ];
    return { maximumPerS, perS, load, faults, requests, memory: memoryRows, checks };
  };
  return await Promise.race([run(), installation.failed]);
}

async function requireSpace({ dataDir }: Installation, minutes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const needed = leastFreeBytes + minutes * bytesPerMinute;
  if (bavail * bsize >= needed) return;
  throw new OperatorError(
    `The disk of ${dataDir} has ${Math.round((bavail * bsize) / 1e9)} GB left, and a soak of ${minutes} minutes needs ` +
      `${Math.ceil(needed / 1e9)} GB. Free some, or set TMPDIR to a folder on another disk.`,
  );
}

async function chooseRate(world: World, receiver: SoakReceiver, { perS, minutes, report, signal }: SoakOptions) {
  if (perS !== undefined) return { maximumPerS: null, perS };
  const { least, most, share } = stepS;
  const options = { receiver, stepS: Math.min(most, Math.max(least, minutes * 60 * share)), report, signal };
  const maximumPerS = await measureMaximum(world, options);
  report(`maximum: ${maximumPerS.toFixed(1)} arrivals/s`);
  if (!(await untilIdle(2 * idleWithinMs)))
    report(`the measurement left a backlog: ${JSON.stringify(await readBacklog())}`);
  return { maximumPerS, perS: Math.min(maxPerS, maximumPerS * loadShare) };
}

const untilIdle = (withinMs: number) => pollUntil(async () => isEmpty(await readBacklog()), { everyMs: 500, withinMs });

/** Waits for the end of all work. What is left after a minute is a violation. */
async function checkBacklog(world: World): Promise<Check> {
  const startMs = performance.now();
  const redelivered = await redeliverWaiting(world);
  const isIdle = await untilIdle(idleWithinMs - (performance.now() - startMs));
  const seconds = (performance.now() - startMs) / 1_000;
  const left = JSON.stringify(await readBacklog());
  const figure = `${seconds.toFixed(1)} s; ${redelivered} deliveries of faulty receivers asked for again`;
  // The other checks need the end of the work, not its time.
  if (!isIdle) await untilIdle(idleWithinMs);
  await sleep(1_000);
  return {
    name: 'the backlog is empty within 60 s of the end of the load',
    figure,
    violations: isIdle ? [] : [`left after 60 s: ${left}`],
  };
}
