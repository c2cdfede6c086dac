import { parseArgs } from 'node:util';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { type Level, levels } from './test-files.ts';

/** What `npm test -- …` was asked for. */
export type TestOptions = {
  /** Parts of paths. Without any, the levels decide. */
  patterns: string[];
  /** Without any, the other options decide. */
  levels: readonly Level[] | undefined;
  /** Only files that load a module with uncommitted changes. */
  changed: boolean;
  /** Runs again whenever a loaded module changes. */
  watch: boolean;
  /** Waits for a debugger. */
  inspect: boolean;
  /** For jest: only tests whose full title matches. */
  testNamePattern: string | undefined;
  /** Test processes at once, 2 or more. */
  maxWorkers: number | undefined;
  /** A file for the CPU time of each test file, as JSON. */
  costs: string | undefined;
};

export const usage = `Usage: npm test -- [options] [paths]

Runs the levels unit and push, or the files whose path contains one of these texts, with the servers that they need.
Paths and --changed add the level ci. A path that leads to long files alone runs these.

  --level <level>        unit, push, ci or long; may be given more than once. npm run test:unit is --level unit
  --changed              only files that load a module with uncommitted changes
  --watch                runs again whenever a module changes that the files load
  --inspect              waits for a debugger (node inspect, chrome://inspect); use it with one file
  -t, --testNamePattern  only tests whose title matches
  --maxWorkers           test processes at once, 2 or more
  --costs                writes the CPU time of each file to this file, as JSON
`;

/** Parses the arguments of `npm test`. Throws an OperatorError with the usage for unknown ones. */
export function readOptions(args: string[]): TestOptions {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        level: { type: 'string', multiple: true },
        changed: { type: 'boolean' },
        watch: { type: 'boolean' },
        inspect: { type: 'boolean' },
        testNamePattern: { type: 'string', short: 't' },
        maxWorkers: { type: 'string' },
        costs: { type: 'string' },
      },
    });
    const { level: asked, changed = false, watch = false, inspect = false } = values;
    const unknown = asked?.find((level) => !levels.includes(level as Level));
    if (unknown !== undefined) throw new Error(`Unknown level '${unknown}'`);
    const maxWorkers = values.maxWorkers === undefined ? undefined : Number(values.maxWorkers);
    if (maxWorkers !== undefined && !(Number.isInteger(maxWorkers) && maxWorkers >= 2)) {
      throw new Error('--maxWorkers must be a whole number from 2 on');
    }
    return {
      patterns: positionals,
      levels: asked as Level[] | undefined,
      ...{ changed, watch, inspect },
      ...{ testNamePattern: values.testNamePattern, maxWorkers, costs: values.costs },
    };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`);
  }
}
