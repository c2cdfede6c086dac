import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { findFences } from '../../common/documents/child-command.ts';
import { type ChildLimits, limitsForFile } from '../../common/documents/child-limits.ts';
import { ChildFailedError, type ChildRun, runInChild } from '../../common/documents/run-in-child.ts';
import { eventually } from '../support/eventually.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const program = {
  entryPath: fileURLToPath(new URL('../support/documents/misbehaving.child.ts', import.meta.url)),
  permissions: 'off',
} as const;
const isLinux = process.platform === 'linux';

describe('a child process over untrusted bytes', () => {
  const newFolder = useTempFolders();

  type Options = Partial<Omit<ChildRun, 'limits'>> & { word?: string; limits?: Partial<ChildLimits> };

  async function run(how: string, options: Options = {}) {
    const { word = '', limits, ...rest } = options;
    const folder = await newFolder();
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const output = { name: 'out.pdf', path: join(folder, 'taken.pdf') };
    const end = await runInChild({
      program,
      args: [how, word],
      readable: [],
      parentFolder: folder,
      ...(['succeed', 'lieAboutOutput'].includes(how) && { output }),
      hasLowPriority: false,
      signal: new AbortController().signal,
      log,
      ...rest,
      limits: { ...limitsForFile(1), ...limits },
    }).catch((error: unknown) => ({ kind: 'thrown', error }) as const);
    return { end, log: lines.join(''), leftOver: await readdir(folder), taken: output.path };
  }

  test('given one that works, when run, then it saw no environment and leaves its output and nothing else', async () => {
    const { end, leftOver, taken } = await run('succeed');
    expect(end).toMatchObject({ kind: 'result', maxRssKb: 1 });
    const { environment } = (end as unknown as { result: { environment: string[] } }).result;
    expect(environment.filter((key) => !/^(UV_THREADPOOL_SIZE|VIPS_CONCURRENCY|MALLOC_ARENA_MAX)$/.test(key))).toEqual(
      [],
    );
    expect(leftOver).toEqual(['taken.pdf']);
    expect(await readFile(taken, 'utf8')).toBe('printed');
  });

  const culprits: [string, string, Partial<ChildLimits>, string][] = [
    ['crashes', 'segfault', {}, 'too_hard'],
    ['exits with 137', 'exit137', {}, 'too_hard'],
    ['hangs and ignores SIGTERM', 'hang', { wallMs: 800 }, 'too_hard'],
    ['spins', 'spin', { cpuS: 1 }, 'too_hard'],
    ['says nothing', 'noReport', {}, 'too_hard'],
    ['reports half a sentence', 'brokenReport', {}, 'too_hard'],
    ['reports a fault nobody knows', 'unknownFault', {}, 'too_hard'],
    ['reports a megabyte', 'largeReport', {}, 'too_hard'],
    ['writes 1 GB', 'write1GB', {}, 'damaged_pdf'],
    ['opens 100 files', 'open100Files', {}, 'too_hard'],
    ['throws from a callback', 'throwLater', {}, 'damaged_pdf'],
  ];

  test.each(culprits)(
    'given one that %s, when run, then the document is to blame and no trace is left',
    async (...row) => {
      const [, how, limits, fault] = row;
      const { end, leftOver } = await run(how, { limits });
      expect(end).toMatchObject({ kind: 'fault', fault });
      expect(leftOver).toEqual([]);
    },
  );

  const needsLinux = isLinux ? test : test.skip;
  // Depending on what asks first, V8 throws or gives up.
  needsLinux('given one that takes 2 GB, when run on Linux, then it does not get them', async () => {
    const { end, leftOver } = await run('take2GB');
    expect(end).toMatchObject({ kind: 'fault' });
    expect(leftOver).toEqual([]);
  });

  test.each(['readOutside', 'startProcess'])(
    'given the permissions of our own children, when one tries %s, then Node refuses',
    async (how) => {
      const word = join(await newFolder(), 'secret');
      await writeFile(word, 'secret');
      const fenced = { ...program, permissions: 'plain' } as const;
      const readable = [fileURLToPath(new URL('../', import.meta.url))];
      const { end, log } = await run(how, { word, program: fenced, readable });
      expect(end).toMatchObject({ kind: 'thrown', error: expect.any(ChildFailedError) });
      expect(log).toContain('has been restricted');
      expect((await run(how, { word })).end).toMatchObject({ kind: 'result' });
    },
  );

  test('given one that ends because of us or the machine, when run, then it is worth another try', async () => {
    for (const how of ['fail', 'throw', 'killed']) {
      const { end, leftOver } = await run(how);
      expect(end).toMatchObject({ kind: 'thrown', error: expect.any(ChildFailedError) });
      expect(leftOver).toEqual([]);
    }
  });

  test('given one that forks and dies, when run, then its children die with it and nobody waits for them', async () => {
    const beat = join(await newFolder(), 'beat');
    const startedAtMs = performance.now();
    const { end, leftOver } = await run('fork', { word: beat });
    expect(end).toMatchObject({ kind: 'fault', fault: 'too_hard' });
    expect(performance.now() - startedAtMs).toBeLessThan(5000);
    expect(leftOver).toEqual([]);
    const pids = new Set((await readFile(beat, 'utf8')).trim().split('\n').map(Number));
    expect(pids.size).toBe(2);
    await eventually(() => expect([...pids].filter(isAlive)).toEqual([]), { withinMs: 2000 });
  });

  test('given one that runs, when the signal aborts, then it is killed and the reason is thrown', async () => {
    const abort = new AbortController();
    const { end, leftOver } = await run('hang', {
      signal: abort.signal,
      onUsage({ wallMs }) {
        if (wallMs > 300) abort.abort(new Error('lease lost'));
        return 'go on';
      },
    });
    expect(end).toMatchObject({ kind: 'thrown', error: { message: 'lease lost' } });
    expect(leftOver).toEqual([]);
  });

  test('given one that must make room, when told to stop, then it ends at once', async () => {
    const { end } = await run('spin', { onUsage: ({ wallMs }) => (wallMs > 200 ? 'stop' : 'go on') });
    expect(end).toMatchObject({ kind: 'stopped' });
    expect(end).toHaveProperty('usage.wallMs', expect.any(Number));
  });

  test('given one that links its report or output elsewhere, when run, then nothing behind the link is read', async () => {
    const secret = join(await newFolder(), 'secret');
    await writeFile(secret, JSON.stringify({ result: 'secret' }));
    expect((await run('linkReport', { word: secret })).end).toMatchObject({ kind: 'fault', fault: 'too_hard' });
    const { end, leftOver } = await run('lieAboutOutput');
    expect(end).toMatchObject({ kind: 'thrown', error: expect.any(ChildFailedError) });
    expect(leftOver).toEqual([]);
  });

  test('given one that shouts 10 MB, when run, then the log has its last words only', async () => {
    const { end, log } = await run('shout');
    expect(end).toMatchObject({ kind: 'result' });
    expect(log).toContain('last words');
    expect(log.length).toBeLessThan(10_000);
  });

  test('given one that calls out, when the system can take the network away, then nobody is reached', async () => {
    const { withoutNetwork } = await findFences();
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { end } = await run('callOut', { word: String(port) });
    await new Promise((resolve) => server.close(resolve));
    // Some containers and systems offer no such fence; then this says so by its name.
    expect(end).toMatchObject({ result: withoutNetwork.length > 0 ? 'ENETUNREACH' : 'connected' });
  });

  test('given Linux, when fences are looked for, then prlimit is found where util-linux is', async () => {
    const isThere = await stat('/usr/bin/prlimit').then(
      () => true,
      () => false,
    );
    expect((await findFences()).prlimitPath).toBe(isThere ? '/usr/bin/prlimit' : null);
  });
});

/** A process that ended and waits for its parent to take note does not count. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isLinux || !/^State:\s+Z/m.test(readStatus(pid));
  } catch {
    return false;
  }
}

function readStatus(pid: number): string {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  return readFileSync(`/proc/${pid}/status`, 'latin1');
}
