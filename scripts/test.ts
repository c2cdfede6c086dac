import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { prepareBundles } from '../common/documents/isolation/prepare-bundles.ts';
import { findLeaksInFile } from './find-log-leaks.ts';
import { claimDataDir, findClaimant } from './local-servers/claim-data-dir.ts';
import { type Keeper, startKeeper } from './local-servers/keeper/start-keeper.ts';
import { startLocalServers } from './local-servers/start-local-servers.ts';
import { runProgram } from './program/run-program.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

const root = join(import.meta.dirname, '..');
const folderPrefix = 'bluejay-test-';
/** A younger folder may belong to a run that has not claimed it yet. */
const abandonedAfterMs = 10 * 60_000;

/** Runs jest with these arguments against real servers that this run starts. */
async function runTests(jestArguments: string[]): Promise<number> {
  const stopped = waitForStop('test', () => {});
  await removeAbandonedFolders();
  const dataDir = await mkdtemp(join(tmpdir(), folderPrefix));
  const claim = await claimDataDir(dataDir);
  const keeper = await startKeeper();
  keeper.channels[0].pipe(process.stdout);
  const summaryFile = join(dataDir, 'jest.json');
  const logFile = join(dataDir, 'suite.log');
  await writeFile(logFile, '');
  try {
    const run = runJest(keeper, { dataDir, logFile }, [...jestArguments, '--json', `--outputFile=${summaryFile}`]);
    const code = await Promise.race([run, stopped.then(() => 1)]);
    await keeper.close();
    // The summary must follow all output of jest, which is complete when its pipe has ended.
    await finished(keeper.channels[0]);
    const leaks = await findLeaksInFile(logFile);
    for (const line of leaks) process.stderr.write(`A secret or an address was logged: ${line}\n`);
    process.stdout.write(`${await summarize(summaryFile, leaks.length > 0)}\n`);
    return leaks.length > 0 ? 1 : code;
  } finally {
    await keeper.close();
    claim.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs jest under the keeper, so neither jest nor the servers survive a killed run. */
async function runJest(
  keeper: Keeper,
  { dataDir, logFile }: { dataDir: string; logFile: string },
  jestArguments: string[],
): Promise<number> {
  const { environment } = await startLocalServers({
    keeper,
    dataDir,
    isTest: true,
    environment: process.env,
    allowDownload: true,
    report: (line) => process.stderr.write(`${line}\n`),
  });
  const jest = await keeper.start({
    name: 'jest',
    command: process.execPath,
    args: [join(root, 'node_modules/jest/bin/jest.js'), ...jestArguments],
    cwd: root,
    environment: {
      ...(process.env as Record<string, string>),
      ...environment,
      ...(await prepareBundles()),
      NODE_ENV: 'test',
      SUITE_LOG: logFile,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    },
    output: { channel: 0 },
    identityFile: join(dataDir, 'run', 'jest.json'),
    wave: 2,
    stopWithinMs: 5_000,
  });
  const { code } = await jest.ended;
  return code ?? 1;
}

/**
 * Returns the last line of every run: `12 passed, 0 failed`. A file that could not run counts as one failed test. So do
 * all forbidden log lines together.
 */
async function summarize(summaryFile: string, hasLeaked: boolean): Promise<string> {
  const text = await readFile(summaryFile, 'utf8').catch(() => undefined);
  if (text === undefined) return '0 passed, 1 failed';
  const run = JSON.parse(text);
  const failed = run.numFailedTests + run.numRuntimeErrorTestSuites + (hasLeaked ? 1 : 0);
  const skipped = run.numPendingTests + run.numTodoTests;
  return `${sayMissing(run)}${run.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns a line that names what the skipped tests lack: `5 skipped: no Chromium, no php`. Their titles end with it. */
function sayMissing(run: { testResults: { assertionResults: { status: string; title: string }[] }[] }): string {
  const tests = run.testResults.flatMap(({ assertionResults }) => assertionResults);
  const missing = tests
    .filter(({ status }) => status === 'pending')
    .flatMap(({ title }) => / \[(no .+)\]$/.exec(title)?.[1] ?? []);
  if (missing.length === 0) return '';
  return `${missing.length} skipped: ${[...new Set(missing)].sort().join(', ')}\n`;
}

/** Removes the folders of killed runs. Their servers have already ended. */
async function removeAbandonedFolders(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(folderPrefix));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const info = await stat(folder).catch(() => undefined);
    const isAbandoned = info && Date.now() - info.mtimeMs > abandonedAfterMs && findClaimant(folder) === undefined;
    if (isAbandoned) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

await runProgram(() => runTests(process.argv.slice(2)));
