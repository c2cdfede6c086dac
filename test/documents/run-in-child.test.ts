// Level: push
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type ChildLimits, limitsForFile } from '#common/documents/isolation/child-limits.ts';
import { findFences, findMissingFences } from '#common/documents/isolation/fences.ts';
import { ChildFailedError, type ChildRun, runInChild } from '#common/documents/isolation/run-in-child.ts';
import { describe, expect, test, testWith, useTempFolders } from '../support/jest.ts';
import { waitUntilGone } from '../support/processes/process-control.ts';

const program = {
  entryPath: fileURLToPath(new URL('../support/documents/misbehaving.child.ts', import.meta.url)),
  permissions: 'off',
} as const;

describe('a child process with untrusted bytes', () => {
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
    return { end, log: lines.join(''), remainingFiles: await readdir(folder), taken: output.path };
  }

  test('a successful child sees no environment and leaves only its output', async () => {
    const { end, remainingFiles, taken } = await run('succeed');
    expect(end).toMatchObject({ kind: 'result', maxRssKb: 1 });
    const { environment } = (end as unknown as { result: { environment: string[] } }).result;
    expect(environment.filter((key) => !/^(UV_THREADPOOL_SIZE|VIPS_CONCURRENCY|MALLOC_ARENA_MAX)$/.test(key))).toEqual(
      [],
    );
    expect(remainingFiles).toEqual(['taken.pdf']);
    expect(await readFile(taken, 'utf8')).toBe('printed');
  });

  const culprits: [string, string, Partial<ChildLimits>, string][] = [
    ['crashes', 'segfault', {}, 'too_hard'],
    ['exits with 137', 'exit137', {}, 'too_hard'],
    ['hangs and ignores SIGTERM', 'hang', { wallMs: 800 }, 'out_of_time'],
    ['spins', 'spin', { cpuS: 1 }, 'out_of_cpu'],
    ['spins until it is killed', 'spinOn', { cpuS: 1 }, 'out_of_cpu'],
    ['says nothing', 'noReport', {}, 'too_hard'],
    ['reports truncated JSON', 'brokenReport', {}, 'too_hard'],
    ['reports an unknown fault', 'unknownFault', {}, 'too_hard'],
    ['reports a megabyte', 'largeReport', {}, 'too_hard'],
    ['writes 1 GB', 'write1GB', {}, 'damaged_pdf'],
    ['opens 100 files', 'open100Files', {}, 'too_hard'],
    ['throws from a callback', 'throwLater', {}, 'damaged_pdf'],
  ];

  test.each(culprits)('a child that %s is reported as a document fault and leaves no files', async (...row) => {
    const [, how, limits, fault] = row;
    const { end, remainingFiles } = await run(how, { limits });
    expect(end).toMatchObject({ kind: 'fault', fault });
    expect(remainingFiles).toEqual([]);
  });

  test.each([
    ['3', 3],
    ['-1', undefined],
    ['0.5', undefined],
    ['1e300', undefined],
    ['"3"', undefined],
    ['{}', undefined],
  ])('a fault in the file with the index %s is reported as of file %s', async (word, fileIndex) => {
    const { end } = await run('faultInFile', { word });
    expect(end).toEqual({
      kind: 'fault',
      fault: 'damaged_pdf',
      ...(fileIndex && { fileIndex }),
      usage: expect.anything(),
    });
  });

  const testOnLinux = testWith('Linux', process.platform === 'linux');
  // V8 either throws or aborts, depending on which allocation fails first.
  testOnLinux('on Linux, a child cannot allocate 2 GB', async () => {
    const { end, remainingFiles } = await run('take2GB');
    expect(end).toMatchObject({ kind: 'fault' });
    expect(remainingFiles).toEqual([]);
  });

  test.each(['readOutside', 'startProcess'])("Node's permission model refuses %s", async (how) => {
    const word = join(await newFolder(), 'secret');
    await writeFile(word, 'secret');
    const fenced = { ...program, permissions: 'plain' } as const;
    const { end, log } = await run(how, { word, program: fenced });
    expect(end).toMatchObject({ kind: 'thrown', error: expect.any(ChildFailedError) });
    expect(log).toContain('has been restricted');
    expect((await run(how, { word })).end).toMatchObject({ kind: 'result' });
  });

  const fenced = ['plain', 'nativeCode'] as const;
  test.each(fenced)('a child with permissions %s cannot read the product', async (permissions) => {
    const word = fileURLToPath(new URL('../../package.json', import.meta.url));
    const { end, log } = await run('readOutside', { word, program: { ...program, permissions } });
    expect(end).toMatchObject({ kind: 'thrown', error: expect.any(ChildFailedError) });
    expect(log).toContain('has been restricted');
  });

  test.each([
    ['result', 'succeeded'],
    ['fault', 'document'],
    ['thrown', 'machine'],
  ])('a child ends with a %s although the end of Node itself would hang', async (kind, word) => {
    const { end } = await run('hangAtExit', { word });
    expect(end).toMatchObject({ kind, ...(kind === 'fault' && { fault: 'damaged_pdf' }) });
  });

  test('a child that ends because of the machine may be retried', async () => {
    for (const how of ['fail', 'throw', 'killed', 'terminated']) {
      const { end, remainingFiles } = await run(how);
      expect(end).toMatchObject({ kind: 'thrown', error: expect.any(ChildFailedError) });
      expect(remainingFiles).toEqual([]);
    }
  });

  test('the processes that a child started are killed with it, without waiting for them', async () => {
    const beat = join(await newFolder(), 'beat');
    // They never end by themselves. Waiting for them would end at the limit of wall time, which is another fault.
    const { end, remainingFiles } = await run('fork', { word: beat });
    expect(end).toMatchObject({ kind: 'fault', fault: 'too_hard' });
    expect(remainingFiles).toEqual([]);
    const pids = new Set((await readFile(beat, 'utf8')).trim().split('\n').map(Number));
    expect(pids.size).toBe(2);
    await waitUntilGone([...pids]);
  });

  test('an aborted child is killed and the reason of the abort is thrown', async () => {
    const abort = new AbortController();
    const { end, remainingFiles } = await run('hang', {
      signal: abort.signal,
      onUsage({ wallMs }) {
        if (wallMs > 300) abort.abort(new Error('lease lost'));
        return 'continue';
      },
    });
    expect(end).toMatchObject({ kind: 'thrown', error: { message: 'lease lost' } });
    expect(remainingFiles).toEqual([]);
  });

  test('a child is killed at once when onUsage returns stop', async () => {
    const { end } = await run('spin', { onUsage: ({ wallMs }) => (wallMs > 200 ? 'stop' : 'continue') });
    expect(end).toMatchObject({ kind: 'stopped' });
    expect(end).toHaveProperty('usage.wallMs', expect.any(Number));
  });

  test('a report or output that is a symbolic link is not followed', async () => {
    const secret = join(await newFolder(), 'secret');
    await writeFile(secret, JSON.stringify({ result: 'secret' }));
    expect((await run('linkReport', { word: secret })).end).toMatchObject({ kind: 'fault', fault: 'too_hard' });
    const { end, remainingFiles } = await run('lieAboutOutput');
    expect(end).toMatchObject({ kind: 'thrown', error: expect.any(ChildFailedError) });
    expect(remainingFiles).toEqual([]);
  });

  test('only the end of 10 MB of standard error is logged', async () => {
    const { end, log } = await run('shout');
    expect(end).toMatchObject({ kind: 'result' });
    expect(log).toContain('last words');
    expect(log.length).toBeLessThan(10_000);
  });

  test('a child cannot open a connection where the system supports it', async () => {
    const { withoutNetwork } = await findFences();
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { end } = await run('callOut', { word: String(port) });
    await new Promise((resolve) => server.close(resolve));
    // Some containers and systems cannot remove the network. There the connection succeeds.
    expect(end).toMatchObject({ result: withoutNetwork.length > 0 ? 'ENETUNREACH' : 'connected' });
  });

  test('native code in a child cannot read the environment of the process that started it', async () => {
    // Without Node's permission model, which does not restrict native code.
    const { end } = await run('readEnvironment', { word: String(process.pid) });
    const isOpen = (await findMissingFences()).includes('environment');
    expect(isOpen && (await findFences()).withoutNetwork.length > 0).toBe(false);
    expect(end).toMatchObject({ result: isOpen ? { bytes: expect.any(Number) } : 'EACCES' });
  });

  test('prlimit is found where util-linux is installed', async () => {
    const isThere = await stat('/usr/bin/prlimit').then(
      () => true,
      () => false,
    );
    expect((await findFences()).prlimitPath).toBe(isThere ? '/usr/bin/prlimit' : null);
  });
});
