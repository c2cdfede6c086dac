// Level: ci
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { limitsForFile } from '#common/documents/isolation/child-limits.ts';
import { readCpuMs, readStarvedMs } from '#common/documents/isolation/process-usage.ts';
import { runInChild } from '#common/documents/isolation/run-in-child.ts';
import { describe, eventually, expect, test, testWithPrograms, useTempFolders } from '../support/jest.ts';

const entryPath = fileURLToPath(new URL('../support/documents/misbehaving.child.ts', import.meta.url));
/** Computes until it is killed, or for a minute if the tests were killed themselves. */
const spinner = 'setTimeout(() => process.exit(), 60_000); setInterval(() => { for (let i = 0; i < 1e8; i += 1); }, 0)';

/** Returns the first CPU that this process may use. In a container that need not be 0. */
async function findCpu(): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8');
  return /^Cpus_allowed_list:\s*(\d+)/m.exec(status)?.[1] ?? '0';
}

describe('a child process that has to wait for the CPU', () => {
  const newFolder = useTempFolders();

  test('time without CPU does not count toward the wall time limit', async () => {
    let samples = 0;
    const end = await runInChild({
      program: { entryPath, permissions: 'off' },
      args: ['hang', ''],
      readable: [],
      parentFolder: await newFolder(),
      limits: { ...limitsForFile(1), wallMs: 1 },
      // Over the limit from the first sample on, without CPU until the fourth.
      readStarvedMs() {
        samples += 1;
        return samples < 4 ? Number.POSITIVE_INFINITY : 0;
      },
      hasLowPriority: false,
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
    });
    expect([end, samples]).toMatchObject([{ kind: 'fault', fault: 'out_of_time' }, 4]);
  });

  testWithPrograms('taskset')('the time of a process that shares a CPU with three others is counted', async () => {
    // Linux shares a CPU between sessions: each of the processes has its own.
    const cpu = await findCpu();
    const programs = Array.from({ length: 4 }, () =>
      spawn('taskset', ['-c', cpu, process.execPath, '-e', spinner], { detached: true }),
    );
    try {
      await eventually(() => {
        const [pid = 0] = programs.map((program) => program.pid);
        expect(readCpuMs(pid)).toBeGreaterThan(200);
        // Three times its CPU time where all get the same share.
        expect(readStarvedMs(pid)).toBeGreaterThan(1.5 * (readCpuMs(pid) ?? 0));
      });
    } finally {
      for (const program of programs) program.kill('SIGKILL');
    }
  });
});
