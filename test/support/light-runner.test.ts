// Level: ci
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, guardMs, test, useTempFolders } from './jest.ts';

const jest = join(import.meta.dirname, '../../node_modules/jest/bin/jest.js');
const runner = join(import.meta.dirname, 'light-runner.ts');
const ours = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'jest.ts')).href);

describe('the runner of the tests', () => {
  const newFolder = useTempFolders();

  /** Runs the test files of a folder, and returns what jest prints. */
  async function run(folder: string, maxWorkers: number, environment: Record<string, string>): Promise<string> {
    const options = { runtime: 'child_process' };
    const config = { testMatch: ['**/*.test.mjs'], transform: {}, maxWorkers, runner: [runner, options] };
    const ended = promisify(execFile)(process.execPath, [jest, '--forceExit', `--config=${JSON.stringify(config)}`], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
      timeout: guardMs,
    });
    return (await ended.catch((error: Error & { stderr: string }) => error)).stderr;
  }

  test('a test process that starts after the others have begun runs its file', async () => {
    const folder = await newFolder();
    const begun = JSON.stringify(join(folder, 'begun'));
    const body = `test('is run', async () => (await import('node:fs')).writeFileSync(${begun}, ''))`;
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.test.mjs`), body);
    const startLate = join(folder, 'start-late.mjs');
    const isBegun = `(await import('node:fs')).existsSync(${begun})`;
    const wait = `await new Promise((resolve) => setTimeout(resolve, 10))`;
    await writeFile(startLate, `if (process.env.TINYPOOL_WORKER_ID === '2') while (!${isBegun}) ${wait};`);
    expect(await run(folder, 3, { NODE_OPTIONS: `--import ${pathToFileURL(startLate)}` })).toContain(
      '3 passed, 3 total',
    );
  });

  test('a test that hangs ends its file: nothing else runs in it or in its process', async () => {
    const folder = await newFolder();
    const note = (name: string) => `writeFileSync(${JSON.stringify(join(folder, name))}, String(process.pid))`;
    const head = "import { existsSync, writeFileSync } from 'node:fs';";
    const files = {
      // It runs first, because it is the largest.
      hangs: `import { afterAll, test } from ${ours}; afterAll(() => ${note('closed')}); test('hangs', () => new Promise(() => {}));
        test('is not run', () => ${note('went on')}); ${'// '.padEnd(2_000, '-')}`,
      waits: `test('waits', async () => { while (!existsSync(${JSON.stringify(join(folder, 'next'))}))
        await new Promise((resolve) => setTimeout(resolve, 10)); }); ${'// '.padEnd(1_000, '-')}`,
      next: `test('is run', () => ${note('next')});`,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.test.mjs`), head + text);
    const printed = await run(folder, 2, { TEST_HANG_MS: '1000' });
    expect(printed).toMatch(/Hung: not over after 1 s/);
    expect(printed).toMatch(/2 failed, 2 passed, 4 total/);
    await expect(readFile(join(folder, 'went on'))).rejects.toThrow('ENOENT');
    const [closedIn, nextIn] = await Promise.all(
      ['closed', 'next'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(nextIn).not.toBe(closedIn);
  });
});
