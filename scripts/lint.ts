import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { runProgram } from './program/run-program.ts';
import { readChangedPaths } from './testing/read-changed-paths.ts';

const root = join(import.meta.dirname, '..');

type Check = { name: string; program: string; args: string[] };

const format: Check = {
  name: 'format and lint',
  program: '@biomejs/biome/bin/biome',
  args: ['check', '--error-on-warnings'],
};
const types: Check = { name: 'types', program: 'typescript/bin/tsc', args: ['--noEmit'] };
const imports: Check = {
  name: 'imports',
  program: 'dependency-cruiser/bin/dependency-cruiser.mjs',
  args: ['--config', 'scripts/import-rules.config.cjs'],
};
const sdkTypes: Check = {
  name: 'types of the SDKs',
  program: '../scripts/sdk/types/write-sdk-types.ts',
  args: ['--check'],
};
const checks: Check[] = [
  format,
  types,
  { ...imports, args: [...imports.args, 'api', 'workers', 'common', 'scripts', 'test'] },
  { name: 'dead code', program: 'knip/bin/knip.js', args: ['--no-progress'] },
  sdkTypes,
];

/**
 * Runs all checks, one per processor at a time, and prints the output of those that fail. With `--changed`, it checks format
 * and imports of the files that differ from the last commit, all types, and the types of the SDKs when they may be stale.
 */
async function lint(): Promise<number> {
  const chosen = process.argv.includes('--changed') ? checksOfChange() : checks;
  const results = await inParallel(chosen, runCheck, availableParallelism());
  return results.every(Boolean) ? 0 : 1;
}

function checksOfChange(): Check[] {
  const changed = [...readChangedPaths(root)].filter((path) => existsSync(join(root, path)));
  const modules = changed.filter((path) => /^(?:api|workers|common|scripts|test)\/.*\.ts$/.test(path));
  if (changed.length === 0) return [];
  return [
    { ...format, args: [...format.args, '--no-errors-on-unmatched', ...changed] },
    // The compiler keeps what it has found in this file, and checks again what a change can affect.
    { ...types, args: [...types.args, '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/bluejay/types.json'] },
    ...(modules.length === 0 ? [] : [{ ...imports, args: [...imports.args, ...modules] }]),
    ...(changed.some((path) => /^(?:api|common|scripts\/sdk)\//.test(path)) ? [sdkTypes] : []),
  ];
}

async function runCheck({ name, program, args }: Check): Promise<boolean> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(Buffer.concat(output));
  return code === 0;
}

await runProgram(lint);
