import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../program/run-program.ts';
import { createImportGraph, isFile } from './import-graph.ts';
import { readTestFiles } from './test-files.ts';

const root = join(import.meta.dirname, '../..');

/** How a module of the tests asks for more repeats in `.ci/long`: `byLevel({ quick, full, long })`. */
const repeatsMore = /\bbyLevel(?:<.*>)?\(\{[^;]*\blong:/;

/** Prints the paths of the test files that `.ci/long` runs: those of the level long, and those that repeat more there. */
await runProgram(async () => {
  const closureOf = createImportGraph(root);
  const isRepeated = (path: string) =>
    path.startsWith('test/') && isFile(join(root, path)) && repeatsMore.test(readFileSync(join(root, path), 'utf8'));
  for (const { path, level } of readTestFiles(root)) {
    if (level === 'long' || [...closureOf(path)].some(isRepeated)) process.stdout.write(`${path}\n`);
  }
  return 0;
});
