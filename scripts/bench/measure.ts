import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Our figures and those of the floor, round by round. */
export type Rounds = { ours: number[]; floor: number[] };

export type LoadOptions = { inFlight: number; forMs: number; maxCalls?: number };

/** Completed calls per second, the duration of the whole load, and the latency of each completed call. */
export type Load = { perS: number; ms: number; latenciesMs: number[] };

/**
 * `inFlight` callers each call again as soon as their previous call has settled, until `forMs` or `maxCalls` is reached.
 * `n` counts all calls from 0, and `caller` is the number of the caller. A call that returns false is not counted.
 */
export async function putUnderLoad(
  call: (n: number, caller: number) => Promise<unknown>,
  { inFlight, forMs, maxCalls = Number.POSITIVE_INFINITY }: LoadOptions,
): Promise<Load> {
  const latenciesMs: number[] = [];
  let begun = 0;
  const startMs = performance.now();
  const callAgain = async (caller: number) => {
    while (begun < maxCalls && performance.now() - startMs < forMs) {
      const n = begun++;
      const calledAtMs = performance.now();
      if ((await call(n, caller)) !== false) latenciesMs.push(performance.now() - calledAtMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, caller) => callAgain(caller)));
  const ms = performance.now() - startMs;
  return { perS: (latenciesMs.length / ms) * 1_000, ms, latenciesMs };
}

/**
 * Measures ours and the floor by turns, because noise must affect both. Warm-up rounds come first and are discarded: a cold
 * floor flatters ours.
 */
export async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  floor: () => Promise<number>,
  warmUps = 1,
): Promise<Rounds> {
  const figures: Rounds = { ours: [], floor: [] };
  for (let round = -warmUps; round < rounds; round += 1) {
    const [oursFigure, floorFigure] = [await ours(), await floor()];
    if (round < 0) continue;
    figures.ours.push(oursFigure);
    figures.floor.push(floorFigure);
  }
  return figures;
}

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the quantile of `share`, from 0 to 1; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/**
 * Returns the resident memory of a process in MiB, or the most it has had (`VmHWM`, Linux only). 0 when the process has
 * ended.
 */
export function readMemoryMb(pid: number | string, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const kb =
      process.platform === 'linux'
        ? new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
        : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return Math.round(Number(kb ?? 0) / 102.4) / 10;
  } catch {
    return 0;
  }
}

/** Returns the ids of a process's running children. None outside Linux. */
export function listChildren(pid: number | string): string[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

/** Samples a figure until `stop`, which returns the largest. */
export function watchMost(read: () => number, everyMs: number): { stop(): number } {
  let most = read();
  const look = () => {
    most = Math.max(most, read());
    return most;
  };
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return look();
    },
  };
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints one row of a table: a narrow first column, then columns of equal width. */
export function printRow(...cells: (string | number)[]): void {
  print(cells.map((cell, column) => String(cell).padStart(column === 0 ? 8 : 24)).join(''));
}
