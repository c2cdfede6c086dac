// Level: ci
import { copyFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, testWithPrograms, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, type Program, startProgram } from '../support/processes/process-control.ts';

const runScript = join(import.meta.dirname, '../../scripts/run.sh');

/** Concurrent starts wait for each other only where flock exists. */
const testWithFlock = testWithPrograms('flock');

/** Creates what `npm ci` would, and records each call in `npm.calls`. */
const fakeNpm = `#!/bin/sh
echo "$@" >> npm.calls
sleep 0.3
mkdir -p node_modules/.bin
ln -sf '${process.execPath}' node_modules/.bin/node
echo '{}' > node_modules/.package-lock.json
`;

describe('the script behind every npm command', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  /** Creates a clone whose start program prints its arguments, and a PATH with this npm. */
  async function makeClone(npm: string) {
    const folder = await makeFolder();
    const [clone, bin] = [join(folder, 'a clone'), join(folder, 'bin')];
    await mkdir(join(clone, 'scripts'), { recursive: true });
    await mkdir(bin);
    await copyFile(runScript, join(clone, 'scripts/run.sh'));
    await writeFile(join(clone, 'package-lock.json'), '{}');
    await writeFile(join(clone, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(clone, 'scripts/start.ts'),
      "process.stdout.write(JSON.stringify(process.argv.slice(2)) + '\\n');",
    );
    await writeFile(join(bin, 'npm'), npm, { mode: 0o755 });
    const environment = { PATH: `${bin}:/usr/bin:/bin` };
    const run = (...args: string[]): Program =>
      startProgram('/bin/sh', [join(clone, 'scripts/run.sh'), ...args], { cwd: '/', environment });
    const readCalls = async () => (await readFile(join(clone, 'npm.calls'), 'utf8').catch(() => '')).trim();
    return { clone, run, readCalls };
  }

  test('a command on a fresh clone installs once, reports to stderr and passes its arguments', async () => {
    const { run, readCalls } = await makeClone(fakeNpm);
    const first = run('start', '--no-demo', 'two words');
    expect(await first.ended).toBe(0);
    expect(first.standardOutput()).toBe('["--no-demo","two words"]\n');
    expect(first.output()).toMatch(/^Installing dependencies \(first start only\) \.+ done$/m);
    expect(await readCalls()).toMatch(/^ci .*--ignore-scripts/);
    const second = run('start');
    expect(await second.ended).toBe(0);
    expect(second.output()).toBe('[]\n');
    expect((await readCalls()).split('\n')).toHaveLength(1);
  });

  test('an installation older than the lock file is repeated', async () => {
    const { clone, run, readCalls } = await makeClone(fakeNpm);
    await run('start').ended;
    const later = new Date(Date.now() + 60_000);
    await utimes(join(clone, 'package-lock.json'), later, later);
    const exitCode = await run('start').ended;
    expect(exitCode).toBe(0);
    expect((await readCalls()).split('\n')).toHaveLength(2);
  });

  testWithFlock('two concurrent commands on a fresh clone run npm once', async () => {
    const { run, readCalls } = await makeClone(fakeNpm);
    const programs = [run('start', 'one'), run('start', 'two')];
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(programs.map((program) => program.standardOutput())).toEqual(['["one"]\n', '["two"]\n']);
    expect((await readCalls()).split('\n')).toHaveLength(1);
  });

  test('a failed npm install is shown with the fix, and the next command installs again', async () => {
    const { clone, run } = await makeClone('#!/bin/sh\necho "npm error network ENOTFOUND"\nexit 1\n');
    const failed = run('start');
    expect(await failed.ended).toBe(1);
    expect(failed.standardOutput()).toBe('');
    expect(failed.output()).toContain('npm error network ENOTFOUND');
    expect(failed.output()).toContain('Fix the npm error above, then try again.');
    await writeFile(join(clone, '../bin/npm'), fakeNpm, { mode: 0o755 });
    expect(await run('start').ended).toBe(0);
  });

  test('SIGTERM to the script reaches the program', async () => {
    const { clone, run } = await makeClone(fakeNpm);
    const text =
      'process.on("SIGTERM", () => process.exit(42)); setInterval(() => {}, 1000); process.stdout.write("up\\n");';
    await writeFile(join(clone, 'scripts/start.ts'), text);
    const program = run('start');
    await program.waitForLine(/^up$/);
    program.kill('SIGTERM');
    expect(await program.ended).toBe(42);
  });

  test('an unknown command prints the usage', async () => {
    const { run } = await makeClone(fakeNpm);
    const program = run('strat');
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain(
      'Usage: sh scripts/run.sh start|test|test:contract|check|generate|lint|format|bench|soak|admin',
    );
  });
});
