import { writeSync } from 'node:fs';
import { ConfigError } from '#common/config/config-error.ts';
import type { Log } from './log.ts';

/** `cause`: a process that crashed is in an unknown state, and should not go on for longer than it has to. */
export type Running = { close(cause: 'signal' | 'crash'): Promise<void> };

/** The time limit of an orderly exit. A supervisor kills after 30 s. */
const hardExitMs = 28_000;

/**
 * Runs a process until SIGTERM or SIGINT, then closes it and exits with 0. Prints the line `ready` once it serves. A
 * failed start prints one sentence to standard error and exits with 1. An uncaught error is logged, and the process
 * closes and exits with 1, for the supervisor to restart it.
 */
export function runProcess(log: () => Log | undefined, start: () => Promise<Running>): void {
  let isEnding = false;
  const started = start();

  const end = async (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), hardExitMs).unref();
    try {
      const running = await started;
      await running.close(exitCode === 0 ? 'signal' : 'crash');
    } catch (error) {
      log()?.error({ err: error }, 'shutdown failed');
      exitCode = 1;
    }
    process.exit(exitCode);
  };
  const crash = (error: unknown) => {
    log()?.fatal({ err: error }, 'uncaught error');
    void end(1);
  };

  process.once('SIGTERM', () => void end(0));
  process.once('SIGINT', () => void end(0));
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  started.then(
    // `process.stdout` would make the pipe non-blocking. The log would then pause for 100 ms whenever the pipe is full.
    () => writeSync(1, 'ready\n'),
    (error: unknown) => {
      process.stderr.write(`${explainStart(error)}\n`);
      process.exit(1);
    },
  );
}

function explainStart(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port, address, message, name } = error as Record<string, string | undefined>;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Set PORT, WEB_PORT or METRICS_PORT to a free one.`;
  if (code === 'EACCES') return `Port ${port} requires privileges. Set PORT to a port above 1023.`;
  if (code === 'EADDRNOTAVAIL') {
    return `${address} is not an address of this machine. Set LISTEN_HOST or METRICS_HOST to one that is.`;
  }
  if (name?.includes('ServerSelection')) return `MongoDB does not answer: ${message}. Check MONGODB_URI.`;
  return `Cannot start: ${message ?? String(error)}`;
}
