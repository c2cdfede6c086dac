import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKeeper } from './local-servers/start-keeper.ts';
import { startLocalServers } from './local-servers/start-local-servers.ts';
import { runProgram } from './run-program.ts';

const root = join(import.meta.dirname, '..');

/** Runs all tests (or those that the arguments name, as jest takes them) against real servers of their own. */
async function runTests(jestArguments: string[]): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-test-'));
  const keeper = await startKeeper();
  try {
    const { environment } = await startLocalServers({
      keeper,
      dataDir,
      isTest: true,
      environment: process.env,
      allowDownload: true,
      report: (line) => process.stderr.write(`${line}\n`),
    });
    const summaryFile = join(dataDir, 'jest.json');
    const code = await runJest([...jestArguments, '--json', `--outputFile=${summaryFile}`], environment);
    process.stdout.write(`${await summarize(summaryFile)}\n`);
    return code;
  } finally {
    await keeper.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function runJest(jestArguments: string[], environment: Record<string, string>): Promise<number> {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, jest, ...jestArguments], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit'],
    env: { ...process.env, ...environment, NODE_ENV: 'test' },
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The last line of every run: `12 passed, 0 failed`. A file that could not be run at all counts as one failed test. */
async function summarize(summaryFile: string): Promise<string> {
  const text = await readFile(summaryFile, 'utf8').catch(() => undefined);
  if (text === undefined) return '0 passed, 1 failed';
  const run = JSON.parse(text);
  const failed = run.numFailedTests + run.numRuntimeErrorTestSuites;
  const skipped = run.numPendingTests + run.numTodoTests;
  return `${run.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

await runProgram(() => runTests(process.argv.slice(2)));
