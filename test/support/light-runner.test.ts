import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test, useTempFolders } from './jest.ts';

const jest = join(import.meta.dirname, '../../node_modules/jest/bin/jest.js');
const runner = join(import.meta.dirname, 'light-runner.ts');

describe('the runner of the tests', () => {
  const newFolder = useTempFolders();

  test('a test process that starts after the others have begun runs its file', async () => {
    const folder = await newFolder();
    const begun = JSON.stringify(join(folder, 'begun'));
    const body = `test('is run', async () => (await import('node:fs')).writeFileSync(${begun}, ''))`;
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.test.mjs`), body);
    const startLate = join(folder, 'start-late.mjs');
    const isBegun = `(await import('node:fs')).existsSync(${begun})`;
    const wait = `await new Promise((resolve) => setTimeout(resolve, 10))`;
    await writeFile(startLate, `if (process.env.TINYPOOL_WORKER_ID === '2') while (!${isBegun}) ${wait};`);
    const options = { runtime: 'child_process' };
    const config = { testMatch: ['**/*.test.mjs'], transform: {}, maxWorkers: 3, runner: [runner, options] };
    const run = promisify(execFile)(process.execPath, [jest, `--config=${JSON.stringify(config)}`], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_OPTIONS: `--import ${pathToFileURL(startLate)}` },
      timeout: 50_000,
    });
    expect((await run).stderr).toContain('3 passed, 3 total');
  });
});
