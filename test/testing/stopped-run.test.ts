// Level: ci
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, eventually, expect, testWith, testWithPrograms, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startProgram, waitUntilGone } from '../support/processes/process-control.ts';

const root = join(import.meta.dirname, '../..');
const makeFolder = useTempFolders();
afterEach(killStartedPrograms);

/**
 * Returns the command lines of all processes of a run, its servers' and programs' too. They have this folder in their
 * environment or work in it: Redis writes its title over its environment.
 */
function listProcesses(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isOfRun =
        readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder) ||
        readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      const words = isOfRun ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : '';
      return words === '' ? [] : [words.replaceAll('\0', ' ')];
    } catch {
      return [];
    }
  });
}

/** Returns the ids of all processes that a process started, and of those that these started. */
function findDescendants(of: number): number[] {
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && readParent(pid) === of);
  return children.flatMap((pid) => [Number(pid), ...findDescendants(Number(pid))]);
}

function readParent(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it can contain anything.
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
  } catch {
    return undefined;
  }
}

const testHere = process.platform === 'linux' ? testWithPrograms('chromium') : testWith('/proc', false);

testHere.each([
  ['SIGTERM', 'its workers', 'test/faults/worker-kill.test.ts', /workers\/main\.ts/],
  ['SIGKILL', 'its browser', 'test/browser/send.test.ts', /chromium/],
] as const)('after %s no process of a run is left: servers, test processes, %s', async (signal, _who, file, own) => {
  // Each process gets the PATH of the run, and little else.
  const marker = await makeFolder();
  const environment: NodeJS.ProcessEnv = { ...process.env, PATH: `${marker}:${process.env.PATH}`, TMPDIR: marker };
  for (const name of ['MONGODB_URI', 'REDIS_URL', 'S3_ENDPOINT', 'TEST_COSTS', 'SUITE_LOG']) delete environment[name];
  const run = startProgram('sh', [join(root, 'scripts/run.sh'), 'test', file], { environment });
  const expected = [/mongod /, /redis-server /, /object-store/, /jest\.js/, own];
  await eventually(() => {
    const lines = listProcesses(marker);
    expect(expected.filter((pattern) => !lines.some((line) => pattern.test(line)))).toEqual([]);
  });
  // Children that render documents have no environment.
  const pids = findDescendants(run.pid);
  expect(pids.length).toBeGreaterThan(expected.length);
  run.kill(signal);
  await run.ended;
  await eventually(() => expect(listProcesses(marker)).toEqual([]));
  await waitUntilGone(pids);
});
