import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { killStartedPrograms, type Program, startProgram } from '../support/process-control.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const runScript = join(import.meta.dirname, '../../scripts/run.sh');

/** Only with flock can two starts at once wait for each other. */
const hasFlock = spawnSync('flock', ['--version']).status === 0;
const testWithFlock = hasFlock ? test : test.skip;

/** What npm leaves behind, without its half a minute; each call is noted in `npm.calls`. */
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

  /** A fresh clone with a start program that tells its arguments, and a PATH with this npm. */
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

  test('given a fresh clone, when a command is run, then it installs once, says so on standard error, and passes the arguments on', async () => {
    // given
    const { run, readCalls } = await makeClone(fakeNpm);
    // when
    const first = run('start', '--no-demo', 'two words');
    // then
    expect(await first.ended).toBe(0);
    expect(first.standardOutput()).toBe('["--no-demo","two words"]\n');
    expect(first.output()).toMatch(/^Installing dependencies \(first start only\) \.+ done$/m);
    expect(await readCalls()).toMatch(/^ci .*--ignore-scripts/);
    // when
    const second = run('start');
    // then
    expect(await second.ended).toBe(0);
    expect(second.output()).toBe('[]\n');
    expect((await readCalls()).split('\n')).toHaveLength(1);
  });

  test('given an installation older than the lock file, when a command is run, then it installs anew', async () => {
    // given
    const { clone, run, readCalls } = await makeClone(fakeNpm);
    await run('start').ended;
    const later = new Date(Date.now() + 60_000);
    await utimes(join(clone, 'package-lock.json'), later, later);
    // when
    const exitCode = await run('start').ended;
    // then
    expect(exitCode).toBe(0);
    expect((await readCalls()).split('\n')).toHaveLength(2);
  });

  testWithFlock(
    'given two commands at once on a fresh clone, when both are run, then npm runs once and both work',
    async () => {
      // given
      const { run, readCalls } = await makeClone(fakeNpm);
      // when
      const programs = [run('start', 'one'), run('start', 'two')];
      // then
      expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0]);
      expect(programs.map((program) => program.standardOutput())).toEqual(['["one"]\n', '["two"]\n']);
      expect((await readCalls()).split('\n')).toHaveLength(1);
    },
  );

  test('given an npm that fails, when a command is run, then its words are shown, what to do is said, and the next try installs', async () => {
    // given
    const { clone, run } = await makeClone('#!/bin/sh\necho "npm error network ENOTFOUND"\nexit 1\n');
    // when
    const failed = run('start');
    // then
    expect(await failed.ended).toBe(1);
    expect(failed.standardOutput()).toBe('');
    expect(failed.output()).toContain('npm error network ENOTFOUND');
    expect(failed.output()).toContain('Mend that, then try again.');
    // when
    await writeFile(join(clone, '../bin/npm'), fakeNpm, { mode: 0o755 });
    // then
    expect(await run('start').ended).toBe(0);
  });

  test('given a running command, when the script gets SIGTERM, then the program gets it, for it has taken its place', async () => {
    // given
    const { clone, run } = await makeClone(fakeNpm);
    const text =
      'process.on("SIGTERM", () => process.exit(42)); setInterval(() => {}, 1000); process.stdout.write("up\\n");';
    await writeFile(join(clone, 'scripts/start.ts'), text);
    const program = run('start');
    await program.waitForLine(/^up$/, { withinMs: 10_000 });
    // when
    program.kill('SIGTERM');
    // then
    expect(await program.ended).toBe(42);
  });

  test('given a word that is no command, when the script is run, then it says what there is', async () => {
    // given
    const { run } = await makeClone(fakeNpm);
    // when
    const program = run('strat');
    // then
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('Usage: sh scripts/run.sh start|test|test:contract|lint|format|bench|admin');
  });
});
