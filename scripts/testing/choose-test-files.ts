import { execFileSync } from 'node:child_process';
import { OperatorError } from '#scripts/program/operator-error.ts';
import type { TestOptions } from './read-options.ts';
import type { TestFile } from './test-files.ts';

/**
 * Returns the files that these options name: those of the levels, or those whose path contains one of the patterns. A
 * pattern finds long files only by their whole path. Throws an OperatorError when there are none.
 */
export function chooseTestFiles(
  all: readonly TestFile[],
  { patterns, levels, changed }: Pick<TestOptions, 'patterns' | 'levels' | 'changed'>,
  readChanged: () => { modules: Set<string>; closureOf: (path: string) => Set<string> },
): TestFile[] {
  const isNamed = ({ path, level }: TestFile) =>
    patterns.some((pattern) => (level === 'long' ? path === pattern : path.includes(pattern)));
  const isOfLevel = ({ level }: TestFile) => levels.includes(level);
  const named = all.filter(patterns.length > 0 ? isNamed : changed ? ({ level }) => level !== 'long' : isOfLevel);
  if (named.length === 0) throw new OperatorError(`No test file matches ${patterns.join(' ')}.`);
  if (!changed) return named;
  const { modules, closureOf } = readChanged();
  return named.filter(({ path }) => [...closureOf(path)].some((each) => modules.has(each)));
}

/** Returns the paths of a checkout that differ from its last commit, and those that git does not know yet. */
export function readChangedPaths(root: string): Set<string> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const tracked = git('diff', '--name-only', '--no-renames', 'HEAD');
  return new Set(`${tracked}${git('ls-files', '--others', '--exclude-standard')}`.split('\n').filter(Boolean));
}
