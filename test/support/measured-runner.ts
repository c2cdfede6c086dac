import { appendFileSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, relative } from 'node:path';

// As programs of the product have left it. A test process writes nothing there: it is ended by a signal.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/bluejay'));

// The package exports only the runner.
const { default: runFile } = await import(new URL('./worker-runner.js', import.meta.resolve('jest-light-runner')).href);

/** Linux counts the CPU time of ended programs in ticks of 10 ms. */
const tickMs = 10;
const { TEST_COSTS: costsFile } = process.env;

/** Runs a test file in this test process, and appends its path and its CPU time to the file of the run. */
// biome-ignore lint/style/noDefaultExport: the pool of test processes takes the default export.
export default async function runMeasured(path: string): Promise<unknown> {
  const before = readCpuMs();
  try {
    return await runFile(path);
  } finally {
    const after = readCpuMs();
    const figures = after.map((ms, index) => Math.round(ms - (before[index] ?? 0)));
    if (costsFile) appendFileSync(costsFile, `${[relative(process.cwd(), path), ...figures].join('\t')}\n`);
  }
}

/** Returns the CPU time of this process and of the programs that it has awaited (0 outside Linux), in ms. */
function readCpuMs(): [number, number] {
  const { user, system } = process.cpuUsage();
  return [(user + system) / 1_000, readProgramsMs()];
}

function readProgramsMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * tickMs;
}
