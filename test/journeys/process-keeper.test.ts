import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { KeptProgram } from '../../scripts/local-servers/keeper-protocol.ts';
import { startKeeper } from '../../scripts/local-servers/start-keeper.ts';
import { eventually } from '../support/eventually.ts';
import { freeze, isAlive } from '../support/process-control.ts';
import { useTempFolders } from '../support/temp-folder.ts';

/** A shell script as a kept program, its output in `<folder>/<name>.log`. */
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

  test('given a program that cannot be started, when it is asked for, then the reason comes back', async () => {
    // given
    const keeper = await startKeeper();
    const folder = await makeFolder();
    // when
    const start = keeper.start(script(folder, 'none', '', { command: '/no/such/program' }));
    // then
    await expect(start).rejects.toThrow('spawn /no/such/program ENOENT');
    await keeper.close();
  });

  test('given a folder that is gone, when programs are started in it, then the keeper refuses or runs them and keeps the others', async () => {
    // given
    const keeper = await startKeeper();
    const folder = await makeFolder();
    const gone = join(folder, 'gone');
    const first = await keeper.start(script(folder, 'first', waiting));
    // when
    const unlogged = keeper.start(script(folder, 'unlogged', waiting, { output: { file: join(gone, 'log') } }));
    const unnoted = await keeper.start(script(folder, 'unnoted', waiting, { identityFile: join(gone, 'note') }));
    // then
    await expect(unlogged).rejects.toThrow('ENOENT');
    expect([first.pid, unnoted.pid].filter(isAlive)).toHaveLength(2);
    await keeper.close();
    expect([first.pid, unnoted.pid].filter(isAlive)).toEqual([]);
  });

  test('given a program that ends by itself, when it has, then its exit code comes back and its note is gone', async () => {
    // given
    const keeper = await startKeeper();
    const folder = await makeFolder();
    // when
    const kept = await keeper.start(script(folder, 'brief', 'echo "$0 $PWD"; exit 7'));
    // then
    expect(await kept.ended).toEqual({ code: 7, signal: null });
    await expect(readFile(join(folder, 'brief.json'))).rejects.toThrow('ENOENT');
    expect(await readFile(join(folder, 'brief.log'), 'utf8')).toBe(`sh ${folder}\n`);
    await keeper.close();
  });

  test('given a frozen program that does not hear SIGTERM, when it is stopped, then it is ended by force, its children too', async () => {
    // given
    const keeper = await startKeeper();
    const folder = await makeFolder();
    const text = 'trap "" TERM; sleep 600 & echo "$!"; wait';
    const kept = await keeper.start(script(folder, 'deaf', text, { stopWithinMs: 200 }));
    const readChild = async () => {
      const pid = Number(await readFile(join(folder, 'deaf.log'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    };
    const childPid = await eventually(readChild, { withinMs: 5_000 });
    freeze(kept.pid);
    // when
    await kept.stop();
    // then
    expect(await kept.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually(() => expect(isAlive(childPid)).toBe(false), { withinMs: 2_000 });
    await keeper.close();
  });

  test('given programs of two waves, when the keeper is closed, then the higher wave has ended before the lower is asked', async () => {
    // given
    const keeper = await startKeeper();
    const folder = await makeFolder();
    await mkdir(join(folder, 'marks'));
    const slow = `trap 'sleep 0.3; echo program >> marks/order; exit 0' TERM; ${waiting}`;
    const quick = `trap 'echo server >> marks/order; exit 0' TERM; ${waiting}`;
    await keeper.start(script(folder, 'server', quick, { wave: 1 }));
    await keeper.start(script(folder, 'program', slow, { wave: 2 }));
    const readLogs = () =>
      Promise.all(['server', 'program'].map((name) => readFile(join(folder, `${name}.log`), 'utf8')));
    await eventually(async () => expect(await readLogs()).toEqual(['up\n', 'up\n']), { withinMs: 5_000 });
    // when
    await keeper.close();
    // then
    expect(await readFile(join(folder, 'marks/order'), 'utf8')).toBe('program\nserver\n');
  });

  test('given a program on a channel, when it prints, then its parent reads it', async () => {
    // given
    const keeper = await startKeeper();
    const folder = await makeFolder();
    let heard = '';
    keeper.channels[1].on('data', (chunk) => {
      heard += chunk;
    });
    // when
    await keeper.start(script(folder, 'talker', 'echo out; echo err >&2', { output: { channel: 1 } }));
    // then
    await eventually(() => expect(heard).toBe('out\nerr\n'), { withinMs: 5_000 });
    await keeper.close();
  });
});
