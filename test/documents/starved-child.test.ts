import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { limitsForFile } from '#common/documents/isolation/child-limits.ts';
import { runInChild } from '#common/documents/isolation/run-in-child.ts';
import { describe, expect, testWithPrograms, useTempFolders } from '../support/jest.ts';

const entryPath = fileURLToPath(new URL('../support/documents/misbehaving.child.ts', import.meta.url));
/** Computes until it is killed, or for a minute if the tests were killed themselves. */
const spinner =
  'console.log(1); setTimeout(() => process.exit(), 60_000); setInterval(() => { for (let i = 0; i < 1e8; i += 1); }, 0)';

/** Returns the first CPU that this process may use. In a container that need not be 0. */
async function findCpu(): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8');
  return /^Cpus_allowed_list:\s*(\d+)/m.exec(status)?.[1] ?? '0';
}

describe('a child process that has to wait for the CPU', () => {
  const newFolder = useTempFolders();

  testWithPrograms('taskset')('time without CPU does not count toward the wall time limit', async () => {
    // All on one CPU, so the tests beside this one keep the others. Linux shares it between sessions: each of the
    // spinners has its own, as the child has.
    const cpu = await findCpu();
    const others = Array.from({ length: 3 }, () =>
      spawn('taskset', ['-c', cpu, process.execPath, '-e', spinner], { detached: true }),
    );
    try {
      await Promise.all(others.map(({ stdout }) => once(stdout, 'data')));
      // The child needs 3 s of CPU and gets a quarter of it. What is left is for its start and for pauses of the machine.
      const limits = { ...limitsForFile(1), wallMs: 8_000 };
      const end = await runInChild({
        program: { entryPath, permissions: 'off' },
        args: ['workOn', cpu],
        readable: [],
        parentFolder: await newFolder(),
        limits,
        hasLowPriority: false,
        signal: new AbortController().signal,
        log: pino({ level: 'silent' }),
      });
      expect(end).toMatchObject({ kind: 'result', result: 'done' });
      expect(end.usage.wallMs).toBeGreaterThan(limits.wallMs);
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  });
});
