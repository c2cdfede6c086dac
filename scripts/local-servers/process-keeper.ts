import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type FromKeeper, firstChannelFd, type KeptProgram, type ToKeeper } from './keeper-protocol.ts';
import { identifyProcess, readIdentity } from './process-identity.ts';

// A program of its own: it runs servers for its parent and ends them when the parent is gone, however it went. The
// IPC channel tells: the kernel closes it when the parent dies, even by SIGKILL, so nothing is asked again and again.

type Kept = { program: KeptProgram; child: ChildProcess; ended: Promise<void>; stopping?: Promise<void> };
const kept = new Map<number, Kept>();
let isLeaving = false;

function tell(message: FromKeeper): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

function startProgram(id: number, program: KeptProgram): void {
  const { command, args, cwd, environment, output } = program;
  const log = 'file' in output ? openSync(output.file, 'a') : firstChannelFd + output.channel;
  const stdio: StdioOptions = ['ignore', log, log];
  // Its own process group: a forced end then takes what it has started along.
  const child = spawn(command, args, { cwd, env: environment, stdio, detached: true });
  if ('file' in output) closeSync(log);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  kept.set(id, { program, child, ended });

  child.once('error', (error) => {
    kept.delete(id);
    tell({ type: 'refused', id, message: error.message });
    resolve();
  });
  child.once('spawn', () => {
    noteIdentity(program, child.pid ?? 0);
    tell({ type: 'started', id, pid: child.pid ?? 0 });
  });
  child.once('exit', (code, signal) => {
    kept.delete(id);
    if (readIdentity(program.identityFile)?.pid === child.pid) rmSync(program.identityFile, { force: true });
    tell({ type: 'ended', id, code, signal });
    resolve();
  });
}

/** For a later start, in case we are killed. Without it the program still runs and is still ended by us. */
function noteIdentity({ identityFile }: KeptProgram, pid: number): void {
  const identity = identifyProcess(pid);
  // It may have ended already: there is nothing to find later then.
  if (!identity) return;
  try {
    writeFileSync(identityFile, JSON.stringify(identity));
  } catch {
    // The folder is full or gone; the program's own trouble with that will be told soon enough.
  }
}

function stopProgram(entry: Kept): Promise<void> {
  entry.stopping ??= (async () => {
    const { child, program, ended } = entry;
    child.kill('SIGTERM');
    const force = setTimeout(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    }, program.stopWithinMs);
    await ended;
    clearTimeout(force);
  })();
  return entry.stopping;
}

async function leave(): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  const waves = [...new Set([...kept.values()].map(({ program }) => program.wave))].sort((a, b) => b - a);
  for (const wave of waves) {
    await Promise.all([...kept.values()].filter(({ program }) => program.wave === wave).map(stopProgram));
  }
  process.exit(0);
}

process.on('message', (message: ToKeeper) => {
  if (message.type === 'start' && !isLeaving) {
    try {
      startProgram(message.id, message.program);
    } catch (error) {
      tell({ type: 'refused', id: message.id, message: (error as Error).message });
    }
  }
  const entry = message.type === 'stop' ? kept.get(message.id) : undefined;
  if (entry) void stopProgram(entry);
});
// Whatever goes wrong in here, what was started must not outlive us.
process.on('uncaughtException', () => void leave());
process.on('disconnect', () => void leave());
process.on('SIGTERM', () => void leave());
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
// The parent may have died before the listener above stood.
if (!process.connected) void leave();
