import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { prepareBundles } from '../common/documents/isolation/prepare-bundles.ts';
import { findLeaksInFile } from './find-log-leaks.ts';
import { claimDataDir, findClaimant } from './local-servers/claim-data-dir.ts';
import { startKeeper } from './local-servers/keeper/start-keeper.ts';
import { startLocalServers } from './local-servers/start-local-servers.ts';
import { runProgram } from './program/run-program.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';
import { chooseTestFiles, readChangedPaths } from './testing/choose-test-files.ts';
import { type Cost, describeCosts, measureLoop, readCosts } from './testing/costs.ts';
import { findServers } from './testing/find-servers.ts';
import { createImportGraph } from './testing/import-graph.ts';
import { readOptions, type TestOptions, usage } from './testing/read-options.ts';
import { processesFor, runJest } from './testing/run-jest.ts';
import { summarize } from './testing/summarize.ts';
import { readTestFiles, type TestFile } from './testing/test-files.ts';
import { waitForChange } from './testing/watch-modules.ts';

const root = join(import.meta.dirname, '..');
const folderPrefix = 'bluejay-test-';
/** A younger folder may belong to a run that has not claimed it yet. */
const abandonedAfterMs = 10 * 60_000;
/** Fewer files need no report of what each costs. */
const reportedFiles = 20;

/** Runs jest on the chosen files, against the real servers that these need. */
async function runTests(options: TestOptions): Promise<number> {
  const stopped = waitForStop('test', () => {}).then(() => 'stopped' as const);
  const all = readTestFiles(root);
  const closureOf = createImportGraph(root);
  const readChanged = () => ({ modules: readChangedPaths(root), closureOf });
  const files = chooseTestFiles(all, options, readChanged);
  if (files.length === 0) {
    process.stdout.write('No test file loads a module with uncommitted changes.\n0 passed, 0 failed\n');
    return 0;
  }
  const { shared } = findServers(root, paths(files), closureOf);
  await removeAbandonedFolders();
  const dataDir = await mkdtemp(join(tmpdir(), folderPrefix));
  const claim = await claimDataDir(dataDir);
  const keeper = await startKeeper();
  keeper.channels[0].pipe(process.stdout, { end: false });
  const logFile = join(dataDir, 'suite.log');
  const costsFile = join(dataDir, 'costs.tsv');
  await Promise.all([writeFile(logFile, ''), writeFile(costsFile, '')]);
  const summaryFile = join(dataDir, 'jest.json');

  async function runOnce(environment: Record<string, string>): Promise<number> {
    const maxWorkers = Number(options.maxWorkers ?? processesFor(files.length, availableParallelism()));
    const run = { keeper, dataDir, environment: { ...environment, ...(await prepareBundles()) } };
    return await runJest(run, files, { ...options, maxWorkers }, summaryFile);
  }
  /** Runs the files once, or with `--watch` until this run is stopped. */
  async function runAll(): Promise<number> {
    const servers = await startLocalServers({
      keeper,
      dataDir,
      isTest: true,
      only: shared,
      environment: process.env,
      allowDownload: true,
      report: (line) => process.stderr.write(`${line}\n`),
    });
    const environment = {
      ...(process.env as Record<string, string>),
      ...servers.environment,
      NODE_ENV: 'test',
      SUITE_LOG: logFile,
      TEST_COSTS: costsFile,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    };
    let code = await runOnce(environment);
    while (options.watch) {
      process.stdout.write(`${await summarize(summaryFile, false)}\nWaiting for a change. Ctrl-C ends.\n`);
      await waitForChange(root, new Set(files.flatMap(({ path }) => [...createImportGraph(root)(path)])));
      code = await runOnce(environment);
    }
    return code;
  }

  try {
    const code = await Promise.race([runAll(), stopped]);
    await keeper.close();
    // The summary must follow all output of jest, which is complete when its pipe has ended.
    await finished(keeper.channels[0]);
    const costs = readCosts(costsFile);
    if (files.length >= reportedFiles) reportCosts(costs, all);
    if (options.costs) await writeFile(options.costs, JSON.stringify({ loopMs: measureLoop(), files: costs }));
    const leaks = await findLeaksInFile(logFile);
    for (const line of leaks) process.stderr.write(`A secret or an address was logged: ${line}\n`);
    process.stdout.write(`${await summarize(summaryFile, leaks.length > 0)}\n`);
    return code === 'stopped' || leaks.length > 0 ? 1 : code;
  } finally {
    await keeper.close();
    claim.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function paths(files: readonly TestFile[]): string[] {
  return files.map(({ path }) => path);
}

function reportCosts(costs: readonly Cost[], all: readonly TestFile[]): void {
  process.stdout.write('\nCPU time of the dearest files: test process + ended programs, level, file\n');
  for (const line of describeCosts(costs, all)) process.stdout.write(`${line}\n`);
  process.stdout.write('\n');
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

await runProgram(async () => {
  const args = process.argv.slice(2);
  if (!args.includes('--help')) return await runTests(readOptions(args));
  process.stdout.write(usage);
  return 0;
});
