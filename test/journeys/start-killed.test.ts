// Level: ci
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, eventually, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startProgram, waitUntilGone } from '../support/processes/process-control.ts';
import {
  fetchHealth,
  findServicePorts,
  newcomersEnvironment,
  readProcesses,
  serviceProcesses,
  startService,
} from '../support/product/service-process.ts';

const root = join(import.meta.dirname, '../..');

describe('npm start', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  test('no process survives a SIGKILL of npm', async () => {
    const dataDir = join(await makeFolder(), 'data');
    const environment = newcomersEnvironment({ DATA_DIR: dataDir, ...(await findServicePorts()) });
    const npm = startProgram('npm', ['start', '--', '--no-demo'], { environment, cwd: root });
    await npm.waitForLine(/^ready$/);
    const processes = await readProcesses(dataDir);
    const claim = JSON.parse(await readFile(join(dataDir, 'run/claim.json'), 'utf8'));
    npm.kill('SIGKILL');
    expect(Object.keys(processes).sort()).toEqual(serviceProcesses);
    await waitUntilGone([claim.pid, ...Object.values(processes)]);
  });

  test('no process survives a SIGKILL of the start, and the next start finds all data', async () => {
    const variables = { DATA_DIR: join(await makeFolder(), 'data'), ...(await findServicePorts()) };
    const readDemo = () => readFile(join(variables.DATA_DIR, 'demo.env'), 'utf8');
    const service = startService(variables);
    await service.waitForLine(/^ready$/);
    const demo = await readDemo();
    const processes = await readProcesses(variables.DATA_DIR);
    service.kill('SIGKILL');
    await waitUntilGone(Object.values(processes));
    const second = startService(variables);
    await second.waitForLine(/^ready$/);
    expect(await readDemo()).toBe(demo);
    expect(await fetchHealth(variables.METRICS_PORT)).toBe(200);
    second.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  test('an API that is killed is restarted, and a second service is not affected', async () => {
    const [ours, others] = [await findServicePorts(), await findServicePorts()];
    const dataDir = join(await makeFolder(), 'data');
    const service = startService({ DATA_DIR: dataDir, ...ours });
    const other = startService({ DATA_DIR: join(await makeFolder(), 'data'), ...others });
    await service.waitForLine(/^ready$/);
    await other.waitForLine(/^ready$/);
    const before = await readProcesses(dataDir);
    process.kill(before.api!, 'SIGKILL');
    await service.waitForLine(/^The API was ended by SIGKILL/);
    expect(await fetchHealth(others.METRICS_PORT)).toBe(200);
    await service.waitForLine(/^The API has restarted\.$/);
    await eventually(async () => expect(await fetchHealth(ours.METRICS_PORT)).toBe(200));
    expect(await readProcesses(dataDir)).toMatchObject({ workers: before.workers, mongodb: before.mongodb });
    for (const running of [service, other]) running.kill('SIGTERM');
    expect(await Promise.all([service.ended, other.ended])).toEqual([0, 0]);
  });
});
