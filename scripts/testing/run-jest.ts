import { join } from 'node:path';
import type { Keeper } from '../local-servers/keeper/start-keeper.ts';
import type { TestOptions } from './read-options.ts';
import type { TestFile } from './test-files.ts';

/** What a run of jest needs: its keeper, its folder, and the environment of the test processes. */
export type JestRun = { keeper: Keeper; dataDir: string; environment: Record<string, string> };

/**
 * Test processes at once. They wait for servers, programs and timers more than half of the time, so there are more of them
 * than processors. Never one: the runner would load the files into jest's own process.
 */
export function processesFor(files: number, processors: number): number {
  return Math.max(2, Math.min(files, 2 * processors + 1));
}

/** Runs jest on these files under the keeper, so that it ends with this run. Returns its exit code. */
export async function runJest(
  { keeper, dataDir, environment }: JestRun,
  files: readonly TestFile[],
  { inspect, testNamePattern, maxWorkers }: Pick<TestOptions, 'inspect' | 'testNamePattern'> & { maxWorkers: number },
  summaryFile: string,
): Promise<number> {
  const root = join(import.meta.dirname, '../..');
  const jest = await keeper.start({
    name: 'jest',
    command: process.execPath,
    args: [
      ...(inspect ? ['--inspect-brk'] : []),
      join(root, 'node_modules/jest/bin/jest.js'),
      // In its own process, where the debugger waits.
      `--maxWorkers=${inspect ? 1 : maxWorkers}`,
      ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
      ...['--json', `--outputFile=${summaryFile}`, '--runTestsByPath', ...files.map(({ path }) => path)],
    ],
    cwd: root,
    environment,
    output: { channel: 0 },
    identityFile: join(dataDir, 'run', 'jest.json'),
    wave: 2,
    stopWithinMs: 5_000,
  });
  const { code } = await jest.ended;
  return code ?? 1;
}
