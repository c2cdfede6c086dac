import { isAbsolute, relative } from 'node:path';
import { OperatorError } from '#scripts/program/operator-error.ts';
import type { TestOptions } from './read-options.ts';
import type { Level, TestFile } from './test-files.ts';

const beforePush: readonly Level[] = ['unit', 'push'];

/**
 * Returns the files that these options name: whose path contains one of the patterns, that load a changed module, and that
 * are of the levels. Without levels, `npm test` runs unit and push; paths or `changed` add ci, and paths that lead to long
 * files alone mean these. Throws an OperatorError when no path matches.
 */
export function chooseTestFiles(
  all: readonly TestFile[],
  { patterns, levels, changed }: Pick<TestOptions, 'patterns' | 'levels' | 'changed'>,
  { root, loadsChanged }: { root: string; loadsChanged: (path: string) => boolean },
): TestFile[] {
  const parts = patterns.map((pattern) =>
    isAbsolute(pattern) ? relative(root, pattern) : pattern.replace(/^\.\//, ''),
  );
  const named = all.filter(({ path }) => parts.length === 0 || parts.some((part) => path.includes(part)));
  const isNarrowed = parts.length > 0 || changed;
  const isOfLevel = ({ level }: TestFile) =>
    levels?.includes(level) ?? (isNarrowed ? level !== 'long' : beforePush.includes(level));
  const ofLevel = named.filter(isOfLevel);
  const chosen = ofLevel.length === 0 && levels === undefined && parts.length > 0 ? named : ofLevel;
  if (chosen.length === 0)
    throw new OperatorError(`No test file matches ${[...patterns, ...(levels ?? [])].join(' ')}.`);
  return changed ? chosen.filter(({ path }) => loadsChanged(path)) : chosen;
}
