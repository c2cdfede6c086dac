import { execFileSync } from 'node:child_process';
import { test } from './jest.ts';

/**
 * Returns `test` if what it needs is there. Otherwise the tests are skipped, and their titles and the last line of the
 * run name what is missing.
 */
export function testWith(what: string, isThere: boolean): typeof test {
  if (isThere) return test;
  return withTitle((title) => test.skip(`${title} [no ${what}]`));
}

/** As `testWith`, for a tool that can be installed. In CI its tests fail, because a suite that never runs is useless. */
export function testWithTool(tool: string, isThere: boolean): typeof test {
  if (isThere || process.env.CI !== 'true') return testWith(tool, isThere);
  return withTitle((title) => {
    test(title, () => {
      throw new Error(`CI must run this test, but there is no ${tool}`);
    });
  });
}

/** As `testWithTool`, for programs on PATH. */
export function testWithPrograms(...programs: string[]): typeof test {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  return testWithTool(missing.join(', '), missing.length === 0);
}

/** Returns the path of a program on PATH. */
export function findProgram(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function withTitle(declare: (title: string) => void): typeof test {
  const each = () => (title: string) => declare(title);
  return Object.assign(declare, { each, skip: declare }) as unknown as typeof test;
}
