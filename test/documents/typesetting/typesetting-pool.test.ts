// Level: ci
import { startTypesetter } from '#common/documents/typesetting/start-typesetter.ts';
import type { WarmChild } from '#common/documents/warm/spawn-warm-child.ts';
import { createLog } from '#common/platform/process/log.ts';
import { aLetterOf, openTypesetting, signal } from '#test/support/documents/typesetting/use-typesetting.ts';
import { afterEach, describe, expect, test } from '#test/support/jest.ts';

const log = createLog('test', 'silent');
const letter = aLetterOf('Hello');
const children: WarmChild[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.stop();
});

/** Opens a pool whose processes are recorded. `changes`: limits of the processes, in the order of their starts. */
function openRecording(options: object = {}, changes: object[] = []) {
  return openTypesetting({
    ...options,
    async startChild(childLog) {
      const child = await startTypesetter(childLog, changes.shift());
      children.push(child);
      return child;
    },
  });
}

describe('the processes that typeset letters', () => {
  test('a process is replaced after its number of letters', async () => {
    const pool = openRecording({ lettersPerChild: 2, maxChildren: 1 });
    for (let i = 0; i < 5; i += 1) await pool.typeset(letter, 'org', signal);
    expect(children.map(({ fileCount, isUsable }) => [fileCount, isUsable])).toEqual([
      [2, false],
      [2, false],
      [1, true],
    ]);
    pool.close();
  });

  test('two organizations share a process only if the operator allows it', async () => {
    for (const [sharing, count] of [
      ['everyone', 1],
      ['organization', 2],
      ['none', 3],
    ] as const) {
      children.length = 0;
      const pool = openRecording({ sharing, maxChildren: 3 });
      for (const organizationId of ['a', 'b', 'a']) await pool.typeset(letter, organizationId, signal);
      expect([sharing, children.length]).toEqual([sharing, count]);
      pool.close();
    }
  });

  test('a letter that takes too long ends its process, and is a fault at the second time', async () => {
    const strict = { fileLimits: { cpuMs: 20, wallMs: 60_000 } };
    const pool = openRecording({ maxChildren: 1 }, [strict, strict]);
    const rows = '| ((v)) | ((v)) |\n'.repeat(400);
    const heavy = aLetterOf(`| a | b |\n|---|---|\n${rows}`, { v: 'verantwoordelijkheid '.repeat(11) });
    await expect(pool.typeset(heavy, 'org', signal)).rejects.toMatchObject({ fault: 'too_hard' });
    expect(children.map(({ isUsable }) => isUsable)).toEqual([false, false]);
    expect((await pool.typeset(letter, 'org', signal)).pageCount).toBe(1);
    pool.close();
  });

  test('a process that cannot be started is not the fault of the letter', async () => {
    const pool = openTypesetting({ startChild: () => Promise.reject(new Error('no memory')), log });
    await expect(pool.typeset(letter, 'org', signal)).rejects.toThrow('No process for typesetting could be started.');
    pool.close();
  });

  test('an aborted letter ends its process and throws the reason', async () => {
    const pool = openRecording({ maxChildren: 1 });
    await pool.typeset(letter, 'org', signal);
    const abort = new AbortController();
    const set = pool.typeset(aLetterOf('word '.repeat(9_000)), 'org', abort.signal);
    abort.abort(new Error('stop'));
    await expect(set).rejects.toThrow('stop');
    expect((await pool.typeset(letter, 'org', signal)).pageCount).toBe(1);
    pool.close();
  });

  test('more letters than processes wait for their turn', async () => {
    const pool = openRecording({ maxChildren: 2 });
    const texts = Array.from({ length: 20 }, (_, i) => `Letter ${i}`);
    const set = await Promise.all(texts.map((text) => pool.typeset(aLetterOf(text), 'org', signal)));
    expect(set.map(({ pageCount }) => pageCount)).toEqual(texts.map(() => 1));
    expect(children.length).toBeLessThanOrEqual(2);
    pool.close();
  });
});
