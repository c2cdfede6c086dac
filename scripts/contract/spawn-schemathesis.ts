import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';

export type SchemathesisRun = {
  /** The path of `st`. */
  program: string;
  configFile: string;
  baseUrl: string;
  key: string;
  /** Requests for each operation and phase. */
  examples: string;
  seed: string;
  /** The only operation to look at; all of them when absent. */
  operation?: string;
  /** Ends it early, and the promise with an AbortError. */
  signal: AbortSignal;
};

/** Whatever it meets, it ends: a run that takes longer than this many milliseconds has failed. */
const endsWithinMs = 15 * 60_000;

/** Runs all phases with all checks, shows what schemathesis says, and ends with one line of our own: its exit code. */
export async function spawnSchemathesis(options: SchemathesisRun): Promise<number> {
  const { program, configFile, baseUrl, key, examples, seed, operation, signal } = options;
  const startMs = performance.now();
  process.stdout.write(`Contract test, seed ${seed}, ${examples} examples for each operation and phase.\n`);
  const args = [
    ...['--config-file', configFile, ...(process.stdout.isTTY ? [] : ['--no-color'])],
    ...['run', `${baseUrl}/v1/openapi.json`, '--header', `Authorization: Bearer ${key}`],
    ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--max-examples', examples, '--seed', seed, '--generation-database', 'none'],
    // One at a time: Python 3.11 stumbles over its own parser in two threads, and the run can be repeated exactly.
    ...(operation === undefined ? [] : ['--include-operation-id', operation]),
    ...['--workers', '1', '--request-timeout', '20', '--continue-on-failure'],
  ];
  const child = spawn(program, args, { cwd: dirname(configFile), stdio: ['ignore', 'inherit', 'inherit'], signal });
  const timer = setTimeout(() => child.kill('SIGKILL'), endsWithinMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  const seconds = Math.round((performance.now() - startMs) / 1000);
  const outcome = code === 0 ? 'passed' : 'FAILED';
  process.stdout.write(`Contract test ${outcome} in ${seconds} s (seed ${seed}, exit code ${code ?? 'none'}).\n`);
  return code ?? 1;
}
