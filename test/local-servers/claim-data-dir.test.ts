// Level: ci
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { identifyProcess } from '#scripts/local-servers/keeper/process-identity.ts';
import { afterEach, describe, eventually, expect, test, useTempFolders } from '../support/jest.ts';
import { isAlive, killStartedPrograms, startNode, startProgram } from '../support/processes/process-control.ts';

const program = join(import.meta.dirname, '../support/processes/claim.program.ts');

describe('the claim of a data folder', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  test('a folder in use is refused with the process id of its owner and the fix', async () => {
    const dataDir = await makeFolder();
    const claim = await claimDataDir(dataDir);
    const second = claimDataDir(dataDir);
    await expect(second).rejects.toThrow(
      `Bluejay already runs on ${dataDir} (process ${process.pid}). Stop it first, or choose another folder and ` +
        'other ports: DATA_DIR=.data2 PORT=3100 npm start',
    );
    claim.release();
  });

  test('of eight processes that race for the claim of a killed one, exactly one gets it', async () => {
    const dataDir = await makeFolder();
    const first = startNode([program, dataDir]);
    await first.waitForLine(/^claimed$/);
    first.kill('SIGKILL');
    await first.ended;
    const startFile = join(await makeFolder(), 'start');
    const racers = Array.from({ length: 8 }, () => startNode([program, dataDir, startFile]));
    await Promise.all(racers.map((racer) => racer.waitForLine(/^waiting$/)));
    await writeFile(startFile, '');
    const isSettled = (text: string) => text.includes('claimed') || text.includes('already runs');
    await eventually(() => expect(racers.every((racer) => isSettled(racer.output()))).toBe(true));
    expect(racers.filter((racer) => racer.output().includes('claimed'))).toHaveLength(1);
  });

  test('a claim whose process id now belongs to another process is free', async () => {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    await writeFile(join(dataDir, 'run/claim.json'), JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
    const claim = await claimDataDir(dataDir);
    expect(JSON.parse(await readFile(join(dataDir, 'run/claim.json'), 'utf8'))).toEqual(identifyProcess(process.pid));
    claim.release();
  });

  test('a half-written claim is free', async () => {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    await writeFile(join(dataDir, 'run/claim.json'), '{"pid":');
    const claim = await claimDataDir(dataDir);
    claim.release();
    expect(existsSync(join(dataDir, 'run/claim.json'))).toBe(false);
  });

  test('claiming a folder ends the orphaned programs of a crash', async () => {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    const orphan = startProgram('sleep', ['600']);
    await eventually(() => expect(isAlive(orphan.pid)).toBe(true));
    await writeFile(join(dataDir, 'run/redis.json'), JSON.stringify(identifyProcess(orphan.pid)));
    const claim = await claimDataDir(dataDir);
    expect(await orphan.ended).toBe('SIGTERM');
    claim.release();
  });

  test('claiming a folder leaves a process alone whose start time differs from the recorded one', async () => {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    const stranger = startProgram('sleep', ['600']);
    await writeFile(join(dataDir, 'run/redis.json'), JSON.stringify({ pid: stranger.pid, startedAt: 'another time' }));
    const claim = await claimDataDir(dataDir);
    expect(isAlive(stranger.pid)).toBe(true);
    claim.release();
  });

  test('claiming a folder keeps the logs of the last run as *.log.1', async () => {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'logs'));
    await writeFile(join(dataDir, 'logs/api.log'), 'the last run\n');
    const claim = await claimDataDir(dataDir);
    expect(await readFile(join(dataDir, 'logs/api.log.1'), 'utf8')).toBe('the last run\n');
    claim.release();
  });

  test('claiming a folder that everyone can read restricts it to its owner', async () => {
    const dataDir = await makeFolder();
    await chmod(dataDir, 0o755);
    await mkdir(join(dataDir, 'run'), { mode: 0o755 });
    const claim = await claimDataDir(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    claim.release();
  });

  test('a shared folder such as /tmp is refused and keeps its permissions', async () => {
    const dataDir = await makeFolder();
    await chmod(dataDir, 0o1777);
    await expect(claimDataDir(dataDir)).rejects.toThrow('cannot be used: all users of this machine share it.');
    expect((await stat(dataDir)).mode & 0o7777).toBe(0o1777);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('a disk with too little space is refused with the free space and the fix', async () => {
    const dataDir = await makeFolder();
    const claim = claimDataDir(dataDir, { leastFreeBytes: 2 ** 60 });
    await expect(claim).rejects.toThrow(
      /^The disk of DATA_DIR .* has \d+ MB left, and Bluejay needs at least 1099511627776 MB\. Free some space, or .*DATA_DIR=\/path npm start$/,
    );
  });

  test('a file instead of a folder is refused with one sentence', async () => {
    const dataDir = join(await makeFolder(), 'data');
    await writeFile(dataDir, '');
    const claim = claimDataDir(dataDir);
    await expect(claim).rejects.toThrow(
      `DATA_DIR ${dataDir} cannot be used: it is not a folder. Name another folder: DATA_DIR=/path npm start`,
    );
  });
});
