// Level: ci
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startProgram } from '../support/processes/process-control.ts';
import { root } from '../support/project/compose-file.ts';

/** Records each call in `docker.calls`, and answers as an engine whose containers are healthy, three of workers. */
const healthyDocker = `#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
  'compose version --short') echo 2.20.2 ;;
  *'ps --quiet'*)
    grep -q '^compose up' "$CALLS" || exit 0
    echo 0123456789ab
    case "$*" in *workers) printf '%s\\n' 123456789abc 23456789abcd ;; esac ;;
  inspect*) echo healthy ;;
  *BASE_URL*) echo http://localhost:4000 ;;
  *AUTH_URL*) echo http://localhost:4001 ;;
esac
`;

describe('scripts/deploy/install.sh', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  async function prepare(docker: string | null) {
    const folder = await makeFolder();
    await mkdir(join(folder, 'scripts/deploy'), { recursive: true });
    await mkdir(join(folder, 'bin'));
    const scripts = ['make-env.sh', 'install.sh', 'initiate-mongodb.js'].map((name) => `scripts/deploy/${name}`);
    for (const file of ['.env.example', ...scripts]) await copyFile(join(root, file), join(folder, file));
    const readByMongodb = join(folder, 'scripts/deploy/initiate-mongodb.js');
    await chmod(readByMongodb, 0o600);
    if (docker !== null) {
      await writeFile(join(folder, 'bin/docker'), docker);
      await chmod(join(folder, 'bin/docker'), 0o755);
    }
    // The tools of a minimal Debian, without the docker of this machine.
    const tools = 'dirname cat date sleep sort sed od tr head base64 mv grep find chmod sh'.split(' ');
    for (const tool of tools) {
      const program = ['/usr/bin', '/bin'].map((place) => join(place, tool)).find((file) => existsSync(file));
      await symlink(program ?? tool, join(folder, 'bin', tool));
    }
    const calls = join(folder, 'docker.calls');
    const environment = { PATH: join(folder, 'bin'), CALLS: calls };
    const run = async () => {
      const program = startProgram('/bin/sh', [join(folder, 'scripts/deploy/install.sh')], { cwd: '/', environment });
      return { code: await program.ended, output: program.output() };
    };
    const readCalls = () => readFile(calls, 'utf8').catch(() => '');
    return { run, readCalls, envFile: join(folder, '.env'), readByMongodb };
  }

  test('it writes .env, builds once, starts, waits, and prints the addresses and the next commands', async () => {
    const { run, readCalls, envFile } = await prepare(healthyDocker);
    const { code, output } = await run();
    expect([code, output]).toEqual([0, expect.stringContaining('Bluejay is running.')]);
    expect(output).toContain('http://localhost:4000/docs');
    expect(output).toContain('http://localhost:4001');
    expect(output).toMatch(/admin\.ts tariff import .*\n.*org create .*\n.*key create /);
    expect(await readFile(envFile, 'utf8')).toMatch(/^ENCRYPTION_KEYS=k1:/m);
    const calls = (await readCalls()).split('\n').filter((call) => /^compose (build|up)/.test(call));
    expect(calls).toEqual(['compose build api', 'compose up --detach workers render', 'compose up --detach']);
  });

  test('a second run keeps .env', async () => {
    const { run, envFile } = await prepare(healthyDocker);
    await run();
    const before = await readFile(envFile, 'utf8');
    expect((await run()).code).toBe(0);
    expect(await readFile(envFile, 'utf8')).toBe(before);
  });

  test('a second run keeps the number of containers of scaled services', async () => {
    const { run, readCalls } = await prepare(healthyDocker);
    await run();
    expect((await run()).code).toBe(0);
    const ups = (await readCalls()).split('\n').filter((call) => call.startsWith('compose up'));
    const scaled = 'compose up --detach --scale workers=3 --scale render=1';
    expect(ups.slice(2)).toEqual([`${scaled} workers render`, scaled]);
  });

  test('MongoDB can read its script after a clone under the umask 077', async () => {
    const { run, readByMongodb } = await prepare(healthyDocker);
    expect((await run()).code).toBe(0);
    expect((await stat(readByMongodb)).mode & 0o777).toBe(0o644);
  });

  test('an .env that cannot be completed stops it before the build', async () => {
    const { run, readCalls, envFile } = await prepare(healthyDocker);
    await mkdir(envFile);
    expect((await run()).code).not.toBe(0);
    expect(await readCalls()).not.toContain('compose build');
  });

  test.each([
    ['without docker', null, /docker is not on PATH\. Install it: https:/],
    ['without Compose', '#!/bin/sh\n[ "$1" != compose ]\n', /no Compose plugin/],
    ['with Compose 2.9.1', '#!/bin/sh\necho v2.9.1\n', /no Compose plugin 2\.20 or later/],
    ['with Compose 2.19.0', '#!/bin/sh\necho 2.19.0\n', /no Compose plugin 2\.20 or later/],
    ['without a running engine', '#!/bin/sh\n[ "$1" != info ] && echo 5.0.0\n', /engine does not answer/],
  ])('%s it changes nothing and says what to do', async (_what, docker, problem) => {
    const { run, envFile } = await prepare(docker);
    const { code, output } = await run();
    expect([code, output]).toEqual([1, expect.stringMatching(problem)]);
    await expect(readFile(envFile)).rejects.toThrow('ENOENT');
  });
});
