import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';

export type SchemathesisRun = {
  /** The path of `st`. */
  program: string;
  configFile: string;
  baseUrl: string;
  key: string;
  /** Requests per operation and phase. */
  examples: string;
  seed: string;
  /** The only operation to test; all operations without it. */
  operation?: string;
  /** Ends the run early and rejects with an AbortError. */
  signal: AbortSignal;
};

/** A longer run is killed and fails. */
const endsWithinMs = 15 * 60_000;

/** Runs all phases with all checks, prints the output of schemathesis and a summary line, and returns the exit code. */
export async function spawnSchemathesis(options: SchemathesisRun): Promise<number> {
  const { program, configFile, baseUrl, key, examples, seed, operation, signal } = options;
  const startMs = performance.now();
  process.stdout.write(`Contract test, seed ${seed}, ${examples} examples per operation and phase.\n`);
  const args = [
    ...['--config-file', configFile, ...(process.stdout.isTTY ? [] : ['--no-color'])],
    ...['run', `${baseUrl}/v1/openapi.json`],
    ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--max-examples', examples, '--seed', seed, '--generation-database', 'none'],
    // One worker: the parser of Python 3.11 fails in two threads, and one thread makes the run repeatable.
    ...(operation === undefined ? [] : ['--include-operation-id', operation]),
    ...['--workers', '1', '--request-timeout', '20', '--continue-on-failure'],
  ];
  const env = { ...process.env, BLUEJAY_TEST_KEY: key };
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit'];
  const child = spawn(program, args, { cwd: dirname(configFile), env, stdio, signal });
  const ended = once(child, 'exit');
  await withTimeout(ended, endsWithinMs, () => child.kill('SIGKILL'));
  const [code] = await ended;
  const seconds = Math.round((performance.now() - startMs) / 1000);
  const outcome = code === 0 ? 'passed' : 'FAILED';
  process.stdout.write(`Contract test ${outcome} in ${seconds} s (seed ${seed}, exit code ${code ?? 'none'}).\n`);
  return code ?? 1;
}
