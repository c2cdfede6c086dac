import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { prepareBundles } from '#common/documents/isolation/prepare-bundles.ts';
import type { Keeper } from '../local-servers/keeper/start-keeper.ts';
import { startLocalServers } from '../local-servers/start-local-servers.ts';
import { findServers } from './find-servers.ts';
import { createImportGraph } from './import-graph.ts';
import type { TestOptions } from './read-options.ts';
import { processesFor, runJest } from './run-jest.ts';
import { summarize } from './summarize.ts';
import type { TestFile } from './test-files.ts';
import { waitForChange } from './watch-modules.ts';

/** A run of test files: the folder and keeper of its servers, and the files for its results. */
export type TestRun = {
  root: string;
  keeper: Keeper;
  dataDir: string;
  files: readonly TestFile[];
  options: TestOptions;
  /** Settles when the run is to end. */
  stopped: Promise<unknown>;
  /** What jest reports, as JSON. */
  summaryFile: string;
  /** The logs of the product, to be searched for secrets. */
  logFile: string;
  costsFile: string;
};

/**
 * Starts the servers that the files need, and runs jest: once, or with `--watch` again after each change until `stopped`.
 * Returns jest's exit code.
 */
export async function runFiles(run: TestRun): Promise<number> {
  const { root, files, options, keeper, dataDir, logFile, costsFile, summaryFile } = run;
  const maxWorkers = options.maxWorkers ?? processesFor(files.length, availableParallelism());
  let hasStopped = false;
  void run.stopped.then(() => {
    hasStopped = true;
  });
  let running: Record<string, string> = {};
  for (;;) {
    const closureOf = createImportGraph(root);
    const modules = new Set(files.flatMap(({ path }) => [...closureOf(path)]));
    // From here on: a file that is saved while the tests run must not be missed.
    const changed = options.watch ? waitForChange(root, modules) : undefined;
    await rm(summaryFile, { force: true });
    running = { ...running, ...(await startServers(run, running, modules)) };
    const environment = {
      ...(process.env as Record<string, string>),
      ...running,
      NODE_ENV: 'test',
      SUITE_LOG: logFile,
      TEST_COSTS: costsFile,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    };
    const code = await runJest({ keeper, dataDir, environment }, files, { ...options, maxWorkers }, summaryFile);
    if (!changed || hasStopped) return code;
    process.stdout.write(`${await summarize(summaryFile, false)}\nWaiting for a change. Ctrl-C ends.\n`);
    await changed;
  }
}

/** Starts the servers that these modules need and that do not run yet. Returns their variables. */
async function startServers(
  { root, keeper, dataDir, files }: TestRun,
  running: Record<string, string>,
  modules: ReadonlySet<string>,
): Promise<Record<string, string>> {
  const paths = files.map(({ path }) => path);
  const rendersDocuments = modules.has('common/documents/isolation/run-in-child.ts');
  const [{ environment }, bundles] = await Promise.all([
    startLocalServers({
      ...{ keeper, dataDir, isTest: true, allowDownload: true },
      only: findServers(root, paths, modules).shared,
      environment: { ...process.env, ...running },
      report: (line) => process.stderr.write(`${line}\n`),
    }),
    rendersDocuments ? prepareBundles() : {},
  ]);
  return { ...environment, ...bundles };
}
