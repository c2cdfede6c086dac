import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { findLeaksInFile } from './find-log-leaks.ts';
import { claimDataDir, findClaimant } from './local-servers/claim-data-dir.ts';
import { startKeeper } from './local-servers/keeper/start-keeper.ts';
import { runProgram } from './program/run-program.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';
import { chooseTestFiles } from './testing/choose-test-files.ts';
import { type Cost, describeCosts, measureLoop, readCosts } from './testing/costs.ts';
import { createImportGraph } from './testing/import-graph.ts';
import { readChangedPaths } from './testing/read-changed-paths.ts';
import { readOptions, type TestOptions, usage } from './testing/read-options.ts';
import { runFiles, type TestRun } from './testing/run-files.ts';
import { summarize } from './testing/summarize.ts';
import { readTestFiles, type TestFile } from './testing/test-files.ts';

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
  const files = chooseTestFiles(all, options, { root, loadsChanged: whetherLoadsChanged() });
  if (files.length === 0) {
    process.stdout.write('No test file loads a module with uncommitted changes.\n0 passed, 0 failed\n');
    return 0;
  }
  await removeAbandonedFolders();
  const dataDir = await mkdtemp(join(tmpdir(), folderPrefix));
  const claim = await claimDataDir(dataDir);
  const keeper = await startKeeper();
  const loopBeforeMs = options.costs ? measureLoop() : Infinity;
  keeper.channels[0].pipe(process.stdout, { end: false });
  const run: TestRun = {
    ...{ root, keeper, dataDir, files, options, stopped },
    summaryFile: join(dataDir, 'jest.json'),
    logFile: join(dataDir, 'suite.log'),
    costsFile: join(dataDir, 'costs.tsv'),
  };
  try {
    await Promise.all([writeFile(run.logFile, ''), writeFile(run.costsFile, '')]);
    const code = await Promise.race([runFiles(run), stopped]);
    await keeper.close();
    // The summary must follow all output of jest, which is complete when its pipe has ended.
    await finished(keeper.channels[0]);
    const costs = readCosts(run.costsFile);
    if (files.length >= reportedFiles) reportCosts(costs, all);
    if (options.costs) {
      const loopMs = Math.min(loopBeforeMs, measureLoop());
      await writeFile(options.costs, JSON.stringify({ loopMs, files: costs }));
    }
    const leaks = await findLeaksInFile(run.logFile);
    for (const line of leaks) process.stderr.write(`A secret or an address was logged: ${line}\n`);
    process.stdout.write(`${await summarize(run.summaryFile, leaks.length > 0)}\n`);
    return code === 'stopped' || leaks.length > 0 ? 1 : code;
  } finally {
    await keeper.close();
    claim.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns a function that returns whether a test file loads a module with uncommitted changes. Asks git once, if at all. */
function whetherLoadsChanged(): (path: string) => boolean {
  const closureOf = createImportGraph(root);
  let changed: Set<string> | undefined;
  return (path) => {
    changed ??= readChangedPaths(root);
    const modules = changed;
    return [...closureOf(path)].some((each) => modules.has(each));
  };
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
