import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { isAlive, killStartedPrograms, startProgram, waitUntilGone } from '../support/process-control.ts';
import { findServicePorts, newcomersEnvironment, readProcesses, startService } from '../support/service-process.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const everything = ['api', 'mongodb', 'object-store', 'redis', 'workers'];
const readyWithin = { withinMs: 60_000 };
/** The programs may take 28 s to end in order, and the servers come after them. */
const goneWithin = { withinMs: 40_000 };

async function fetchHealth(metricsPort: string): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${metricsPort}/readyz`);
  return status;
}

describe('npm start', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  test('given a fresh folder, when it is started, stopped by SIGTERM and started again, then the second finds all of the first', async () => {
    // given
    const variables = { DATA_DIR: join(await makeFolder(), 'data'), ...(await findServicePorts()) };
    const dataDir = variables.DATA_DIR;
    const demoFile = join(dataDir, 'demo.env');
    // when
    const first = startService(variables);
    await first.waitForLine(/^ready$/, readyWithin);
    const demo = await readFile(demoFile, 'utf8');
    const processes = await readProcesses(dataDir);
    first.kill('SIGTERM');
    // then
    expect(await first.ended).toBe(0);
    expect(Object.keys(processes).sort()).toEqual(everything);
    expect(Object.values(processes).filter(isAlive)).toEqual([]);
    expect(
      first
        .standardOutput()
        .split('\n')
        .filter((line) => line === 'ready'),
    ).toHaveLength(1);
    // when
    const second = startService(variables);
    await second.waitForLine(/^ready$/, readyWithin);
    // then
    expect(await readFile(demoFile, 'utf8')).toBe(demo);
    expect(await fetchHealth(variables.METRICS_PORT)).toBe(200);
    second.kill('SIGINT');
    expect(await second.ended).toBe(0);
  }, 180_000);

  test('given a service that runs, when npm is killed by SIGKILL, then nothing of it is left', async () => {
    // given
    const dataDir = join(await makeFolder(), 'data');
    const environment = newcomersEnvironment({ DATA_DIR: dataDir, ...(await findServicePorts()) });
    const npm = startProgram('npm', ['start', '--', '--no-demo'], { environment, cwd: root });
    await npm.waitForLine(/^ready$/, readyWithin);
    const processes = await readProcesses(dataDir);
    const claim = JSON.parse(await readFile(join(dataDir, 'run/claim.json'), 'utf8'));
    // when
    npm.kill('SIGKILL');
    // then
    expect(Object.keys(processes).sort()).toEqual(everything);
    await waitUntilGone([claim.pid, ...Object.values(processes)], goneWithin);
  }, 120_000);

  test('given a service that runs, when it is killed by SIGKILL, then nothing of it is left', async () => {
    // given
    const dataDir = join(await makeFolder(), 'data');
    const service = startService({ DATA_DIR: dataDir, ...(await findServicePorts()) });
    await service.waitForLine(/^ready$/, readyWithin);
    const processes = await readProcesses(dataDir);
    // when
    service.kill('SIGKILL');
    // then
    await waitUntilGone(Object.values(processes), goneWithin);
  }, 120_000);

  test('given two services side by side, when the API of one dies, then it is started again and the other serves on', async () => {
    // given
    const [ours, others] = [await findServicePorts(), await findServicePorts()];
    const dataDir = join(await makeFolder(), 'data');
    const service = startService({ DATA_DIR: dataDir, ...ours });
    const other = startService({ DATA_DIR: join(await makeFolder(), 'data'), ...others });
    await service.waitForLine(/^ready$/, readyWithin);
    await other.waitForLine(/^ready$/, readyWithin);
    const before = await readProcesses(dataDir);
    // when
    process.kill(before.api!, 'SIGKILL');
    // then
    await service.waitForLine(/^The API was ended by SIGKILL/, { withinMs: 10_000 });
    expect(await fetchHealth(others.METRICS_PORT)).toBe(200);
    await service.waitForLine(/^The API runs again\.$/, readyWithin);
    await eventually(async () => expect(await fetchHealth(ours.METRICS_PORT)).toBe(200), { withinMs: 10_000 });
    expect(await readProcesses(dataDir)).toMatchObject({ workers: before.workers, mongodb: before.mongodb });
    for (const running of [service, other]) running.kill('SIGTERM');
    expect(await Promise.all([service.ended, other.ended])).toEqual([0, 0]);
  }, 180_000);
});
