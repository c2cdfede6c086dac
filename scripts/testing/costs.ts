import { readFileSync } from 'node:fs';
import type { Level, TestFile } from './test-files.ts';

/** The CPU time of a test file, in ms: of its test process, and of the programs that ended in it. */
export type Cost = { path: string; testMs: number; programsMs: number };

/** The CPU time of a run. `loopMs` is that of the calibration loop on the same machine. */
export type RunCosts = { loopMs: number; files: Cost[] };

/** What a file of a level may cost, in calibration loops: 5 s and 15 s of a machine on which a loop takes 25 ms. */
const budgets: Partial<Record<Level, number>> = { unit: 200, push: 600 };
/** Above this many budgets, a file belongs to another level. Below, it is noise. */
const tolerance = 3;

/**
 * Returns the CPU time of a fixed piece of work on this machine, in ms: the least of many in about a second, because load
 * only adds to it. A busy hyper-thread on the same core doubles it for a while.
 */
export function measureLoop(): number {
  const times = Array.from({ length: 30 }, () => {
    const before = process.cpuUsage();
    let text = '';
    for (let index = 0; index < 60_000; index += 1) text = JSON.stringify({ index, text: text.slice(0, 100) });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** Reads the lines that the test processes have appended: a path, and two figures. */
export function readCosts(file: string): Cost[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [path = '', testMs, programsMs] = line.split('\t');
    return { path, testMs: Number(testMs), programsMs: Number(programsMs) };
  });
}

/** Returns a table of the dearest files, one per line. */
export function describeCosts(costs: readonly Cost[], files: readonly TestFile[], most = 20): string[] {
  const levelOf = new Map(files.map(({ path, level }) => [path, level]));
  const dearest = costs.toSorted((left, right) => totalOf(right) - totalOf(left)).slice(0, most);
  return dearest.map(({ path, testMs, programsMs }) => {
    const [test, programs] = [testMs, programsMs].map((ms) => (ms / 1_000).toFixed(1).padStart(6));
    return `${test} +${programs} s  ${(levelOf.get(path) ?? '').padEnd(4)}  ${path}`;
  });
}

/** Returns the files that cost more than three times what their level allows. */
export function findTooDear({ loopMs, files: costs }: RunCosts, files: readonly TestFile[]): TestFile[] {
  const costOf = new Map(costs.map((cost) => [cost.path, totalOf(cost)]));
  return files.filter(({ path, level }) => (costOf.get(path) ?? 0) > tolerance * (budgets[level] ?? Infinity) * loopMs);
}

function totalOf({ testMs, programsMs }: Cost): number {
  return testMs + programsMs;
}
