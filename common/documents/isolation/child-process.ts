import type { ChildProcess } from 'node:child_process';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';

const stderrTailBytes = 4096;
const stderrGraceMs = 200;

/**
 * The whole environment of a child. Two threads suffice for the few file operations. Each further thread costs 8 MB of
 * the data limit.
 */
export const childEnvironment = { UV_THREADPOOL_SIZE: '2', VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2' };

/** Kills a child, which leads its process group, and all processes that it started. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}

/** Keeps the end of standard error for the log. Does not wait for an escaped process that keeps the pipe open. */
export function keepTail({ stderr }: ChildProcess): () => Promise<string> {
  let tail = Buffer.alloc(0);
  stderr?.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrTailBytes);
  });
  const closed = new Promise<void>((resolve) => stderr?.once('close', resolve));

  return async () => {
    await withTimeout(closed, stderrGraceMs, () => {});
    stderr?.destroy();
    return tail.toString('utf8').trim();
  };
}
