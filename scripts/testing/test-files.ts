import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#scripts/program/operator-error.ts';

/**
 * When a test file runs: `unit` opens no server, `push` is the rest of `npm test`, `ci` runs in `.ci/run` too, `long` in
 * `.ci/long`. The first line of each file names it.
 */
export const levels = ['unit', 'push', 'ci', 'long'] as const;
export type Level = (typeof levels)[number];

/** A test file, with its path from the root. */
export type TestFile = { path: string; level: Level };

const firstLine = new RegExp(`^// Level: (${levels.join('|')})$`, 'm');

/** Returns all test files of a checkout. Throws an OperatorError that names those without a level. */
export function readTestFiles(root: string): TestFile[] {
  const names = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name.replaceAll('\\', '/')}`);
  const files = paths.sort().map((path) => ({ path, level: levelOf(readFileSync(join(root, path), 'utf8')) }));
  const without = files.filter(({ level }) => level === undefined).map(({ path }) => path);
  if (without.length > 0) {
    throw new OperatorError(`Begin these files with a line such as "// Level: push":\n${without.join('\n')}`);
  }
  return files as TestFile[];
}

function levelOf(text: string): Level | undefined {
  const [line = ''] = text.split('\n', 1);
  return firstLine.exec(line)?.[1] as Level | undefined;
}
