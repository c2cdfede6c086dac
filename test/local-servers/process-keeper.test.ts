// Level: push
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptProgram } from '#scripts/local-servers/keeper/keeper-protocol.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { describe, eventually, expect, openOnce, test, useTempFolders } from '../support/jest.ts';
import { freeze, isAlive } from '../support/processes/process-control.ts';

/** Describes a shell script as a kept program with its output in `<folder>/<name>.log`. */
function script(folder: string, name: string, text: string, changes: Partial<KeptProgram> = {}): KeptProgram {
  return {
    name,
    command: 'sh',
    args: ['-c', text],
    cwd: folder,
    environment: { PATH: process.env.PATH ?? '' },
    output: { file: join(folder, `${name}.log`) },
    identityFile: join(folder, `${name}.json`),
    wave: 1,
    stopWithinMs: 5_000,
    ...changes,
  };
}

const waiting = 'echo up; while :; do sleep 0.05; done';

describe('the process keeper', () => {
  const makeFolder = useTempFolders();
  const keeper = openOnce(startKeeper);

  test('starting a program that does not exist rejects with the reason', async () => {
    const folder = await makeFolder();
    const start = keeper.start(script(folder, 'none', '', { command: '/no/such/program' }));
    await expect(start).rejects.toThrow('spawn /no/such/program ENOENT');
  });

  test('a missing log folder fails that start alone, a missing identity folder does not', async () => {
    const keeper = await startKeeper();
    const folder = await makeFolder();
    const gone = join(folder, 'gone');
    const first = await keeper.start(script(folder, 'first', waiting));
    const unlogged = script(folder, 'unlogged', waiting, { output: { file: join(gone, 'log') } });
    const refused = expect(keeper.start(unlogged)).rejects.toThrow('ENOENT');
    const unnoted = await keeper.start(script(folder, 'unnoted', waiting, { identityFile: join(gone, 'note') }));
    await refused;
    expect([first.pid, unnoted.pid].filter(isAlive)).toHaveLength(2);
    await keeper.close();
    expect([first.pid, unnoted.pid].filter(isAlive)).toEqual([]);
  });

  test('a program that ends reports its exit code, and its identity file is removed', async () => {
    const folder = await makeFolder();
    const kept = await keeper.start(script(folder, 'brief', 'echo "$0 $PWD"; exit 7'));
    expect(await kept.ended).toEqual({ code: 7, signal: null });
    await expect(readFile(join(folder, 'brief.json'))).rejects.toThrow('ENOENT');
    expect(await readFile(join(folder, 'brief.log'), 'utf8')).toBe(`sh ${folder}\n`);
  });

  test('a frozen program that ignores SIGTERM is killed with its children', async () => {
    const folder = await makeFolder();
    const text = 'trap "" TERM; sleep 600 & echo "$!"; wait';
    const kept = await keeper.start(script(folder, 'deaf', text, { stopWithinMs: 200 }));
    const readChild = async () => {
      const pid = Number(await readFile(join(folder, 'deaf.log'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    };
    const childPid = await eventually(readChild);
    freeze(kept.pid);
    await kept.stop();
    expect(await kept.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually(() => expect(isAlive(childPid)).toBe(false));
  });

  test('what a program has started and left behind ends with it', async () => {
    const folder = await makeFolder();
    const kept = await keeper.start(script(folder, 'leader', 'sleep 600 & echo "$!"'));
    await kept.ended;
    const left = Number(await readFile(join(folder, 'leader.log'), 'utf8'));
    expect(left).toBeGreaterThan(0);
    await eventually(() => expect(isAlive(left)).toBe(false));
  });

  test('closing ends the programs of the higher wave before it stops the lower wave', async () => {
    const keeper = await startKeeper();
    const folder = await makeFolder();
    await mkdir(join(folder, 'marks'));
    const slow = `trap 'sleep 0.3; echo program >> marks/order; exit 0' TERM; ${waiting}`;
    const quick = `trap 'echo server >> marks/order; exit 0' TERM; ${waiting}`;
    await keeper.start(script(folder, 'server', quick, { wave: 1 }));
    await keeper.start(script(folder, 'program', slow, { wave: 2 }));
    const readLogs = () =>
      Promise.all(['server', 'program'].map((name) => readFile(join(folder, `${name}.log`), 'utf8')));
    await eventually(async () => expect(await readLogs()).toEqual(['up\n', 'up\n']));
    await keeper.close();
    expect(await readFile(join(folder, 'marks/order'), 'utf8')).toBe('program\nserver\n');
  });

  test('the parent reads what a program prints on a channel', async () => {
    const folder = await makeFolder();
    let heard = '';
    keeper.channels[1].on('data', (chunk) => {
      heard += chunk;
    });
    await keeper.start(script(folder, 'talker', 'echo out; echo err >&2', { output: { channel: 1 } }));
    await eventually(() => expect(heard).toBe('out\nerr\n'));
  });
});
