import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { print } from '../measure.ts';
import { describePairs, type Pair, readFigures } from './read-figures.ts';

const root = join(import.meta.dirname, '../../..');
const defaultPairs = 5;
const run = promisify(execFile);

/**
 * Installs a commit beside this one, runs the same benchmarks of both by turns, and prints the ratio of each figure. The
 * side that begins changes with each pair. `BENCH_PAIRS`: how many. Throws OperatorError for an unknown commit.
 */
export async function compareCommit(commit: string, names: readonly string[]): Promise<void> {
  const pairs = Number(process.env.BENCH_PAIRS ?? defaultPairs);
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-compare-'));
  const theirs = join(folder, 'other');
  await run('git', ['worktree', 'add', '--quiet', '--detach', theirs, commit], { cwd: root }).catch(({ stderr }) => {
    throw new OperatorError(`git cannot check out ${commit}: ${String(stderr).trim()}`);
  });
  // Ctrl-C ends the benchmark, which rejects below, and not this process before its end.
  process.once('SIGINT', () => {});
  try {
    for (const name of names) {
      const measured: Pair[] = [];
      for (let index = 0; index < pairs; index += 1) measured.push(await runPair(name, theirs, index % 2 === 0));
      print(`${name}: ${pairs} pairs; here, ${commit}, median ratio, spread`);
      for (const line of describePairs(measured)) print(line);
    }
  } finally {
    await run('git', ['worktree', 'remove', '--force', theirs], { cwd: root });
    await rm(folder, { recursive: true, force: true });
  }
}

async function runPair(name: string, theirs: string, isOursFirst: boolean): Promise<Pair> {
  const figuresIn = async (cwd: string) => {
    const { stdout } = await run('sh', ['scripts/run.sh', 'bench', name], { cwd, maxBuffer: 1024 * 1024 });
    return readFigures(stdout);
  };
  const early = await figuresIn(isOursFirst ? root : theirs);
  const late = await figuresIn(isOursFirst ? theirs : root);
  return isOursFirst ? { ours: early, theirs: late } : { ours: late, theirs: early };
}
