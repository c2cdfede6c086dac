import { ConfigError } from '../config.ts';
import type { Log } from './log.ts';

/** A process that serves: how it is asked to end. */
export type Running = { close(): Promise<void> };

/** In-flight work gets this long, then its connections are cut off; a supervisor kills after 30 s. */
const hardExitMs = 28_000;

/**
 * Runs a process until SIGTERM or SIGINT, then ends it in order: exit 0. Prints `ready` alone on a line once it serves.
 * A mistake in its environment, or a port that is taken, is one sentence on standard error and exit 1; anything that
 * nobody caught is logged, and ends the process the same way, for the supervisor to start it anew.
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
      await running.close();
    } catch (error) {
      log()?.error({ err: error }, 'not ended in order');
      exitCode = 1;
    }
    process.exit(exitCode);
  };
  const crash = (error: unknown) => {
    log()?.fatal({ err: error }, 'uncaught');
    void end(1);
  };

  process.once('SIGTERM', () => void end(0));
  process.once('SIGINT', () => void end(0));
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  started.then(
    () => process.stdout.write('ready\n'),
    (error: unknown) => {
      process.stderr.write(`${explainStart(error)}\n`);
      process.exit(1);
    },
  );
}

function explainStart(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port, message, name } = error as { code?: string; port?: number; message?: string; name?: string };
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Set PORT, WEB_PORT or METRICS_PORT to a free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set PORT to one above 1023.`;
  if (name?.includes('ServerSelection')) return `MongoDB does not answer: ${message}. Check MONGODB_URI.`;
  return `Cannot start: ${message ?? String(error)}`;
}
