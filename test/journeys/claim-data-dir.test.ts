import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { claimDataDir } from '../../scripts/local-servers/claim-data-dir.ts';
import { identifyProcess } from '../../scripts/local-servers/process-identity.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive, killStartedPrograms, startNode, startProgram } from '../support/process-control.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const program = join(import.meta.dirname, '../support/claim.program.ts');

describe('claiming a data folder', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  test('given a folder that is in use, when another wants it, then one sentence says by whom and what to do', async () => {
    // given
    const dataDir = await makeFolder();
    const claim = await claimDataDir(dataDir);
    // when
    const second = claimDataDir(dataDir);
    // then
    await expect(second).rejects.toThrow(
      `Bluejay already runs on ${dataDir} (process ${process.pid}). Stop it first, or give this one a folder and ` +
        'ports of its own: DATA_DIR=.data2 PORT=4000 npm start',
    );
    claim.release();
  });

  test('given the claim of a killed process, when eight others race for it, then exactly one gets it', async () => {
    // given
    const dataDir = await makeFolder();
    const first = startNode([program, dataDir]);
    await first.waitForLine(/^claimed$/, { withinMs: 10_000 });
    first.kill('SIGKILL');
    await first.ended;
    // when
    const startAtMs = String(Date.now() + 1_500);
    const racers = Array.from({ length: 8 }, () => startNode([program, dataDir, startAtMs]));
    // then
    const isSettled = (text: string) => text.includes('claimed') || text.includes('already runs');
    await eventually(() => expect(racers.every((racer) => isSettled(racer.output()))).toBe(true), { withinMs: 15_000 });
    expect(racers.filter((racer) => racer.output().includes('claimed'))).toHaveLength(1);
  });

  test('given a claim whose process number now belongs to another, when the folder is claimed, then it is free', async () => {
    // given
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    await writeFile(join(dataDir, 'run/claim.json'), JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
    // when
    const claim = await claimDataDir(dataDir);
    // then
    expect(JSON.parse(await readFile(join(dataDir, 'run/claim.json'), 'utf8'))).toEqual(identifyProcess(process.pid));
    claim.release();
  });

  test('given a half-written claim, when the folder is claimed, then it is free', async () => {
    // given
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    await writeFile(join(dataDir, 'run/claim.json'), '{"pid":');
    // when
    const claim = await claimDataDir(dataDir);
    // then
    claim.release();
    expect(existsSync(join(dataDir, 'run/claim.json'))).toBe(false);
  });

  test('given a program that a crash left behind, when the folder is claimed, then it has ended', async () => {
    // given
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    const leftover = startProgram('sleep', ['600']);
    await eventually(() => expect(isAlive(leftover.pid)).toBe(true), { withinMs: 5_000 });
    await writeFile(join(dataDir, 'run/redis.json'), JSON.stringify(identifyProcess(leftover.pid)));
    // when
    const claim = await claimDataDir(dataDir);
    // then
    expect(await leftover.ended).toBe('SIGTERM');
    claim.release();
  });

  test('given a note of a process that is not ours, when the folder is claimed, then that process is left alone', async () => {
    // given
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    const stranger = startProgram('sleep', ['600']);
    await writeFile(join(dataDir, 'run/redis.json'), JSON.stringify({ pid: stranger.pid, startedAt: 'another time' }));
    // when
    const claim = await claimDataDir(dataDir);
    // then
    expect(isAlive(stranger.pid)).toBe(true);
    claim.release();
  });

  test('given the logs of the last run, when the folder is claimed, then they lie beside the new ones', async () => {
    // given
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'logs'));
    await writeFile(join(dataDir, 'logs/api.log'), 'the last run\n');
    // when
    const claim = await claimDataDir(dataDir);
    // then
    expect(await readFile(join(dataDir, 'logs/api.log.1'), 'utf8')).toBe('the last run\n');
    claim.release();
  });

  test('given a disk with too little space, when the folder is claimed, then one sentence names what is left and what to do', async () => {
    // given
    const dataDir = await makeFolder();
    // when
    const claim = claimDataDir(dataDir, { leastFreeBytes: 2 ** 60 });
    // then
    await expect(claim).rejects.toThrow(
      /^The disk of DATA_DIR .* has \d+ MB left, and Bluejay wants 1099511627776 MB at least\. Free some space, or .*DATA_DIR=\/path npm start$/,
    );
  });

  test('given a file in the place of the folder, when it is claimed, then one sentence says that it will not do', async () => {
    // given
    const dataDir = join(await makeFolder(), 'data');
    await writeFile(dataDir, '');
    // when
    const claim = claimDataDir(dataDir);
    // then
    await expect(claim).rejects.toThrow(
      `DATA_DIR ${dataDir} will not do: it cannot be written to (ENOTDIR). Name another folder: DATA_DIR=/path npm start`,
    );
  });
});
