import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { killGroup } from '#common/documents/isolation/child-process.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import { type FromKeeper, firstChannelFd, type KeptProgram, type ToKeeper } from './keeper-protocol.ts';
import { identifyProcess, readIdentity } from './process-identity.ts';

// A separate program that runs servers for its parent and ends them when the parent ends in any way. It needs no
// polling: the kernel closes the IPC channel when the parent dies, even by SIGKILL.

type Kept = { program: KeptProgram; child: ChildProcess; ended: Promise<void>; stopping?: Promise<void> };
const kept = new Map<number, Kept>();
let isShuttingDown = false;

function send(message: FromKeeper): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

function startProgram(id: number, program: KeptProgram): void {
  const { command, args, cwd, environment, output } = program;
  const log = 'file' in output ? openSync(output.file, 'a') : firstChannelFd + output.channel;
  const stdio: StdioOptions = ['ignore', log, log];
  // A process group of its own: it ends with this program.
  const child = spawn(command, args, { cwd, env: environment, stdio, detached: true });
  if ('file' in output) closeSync(log);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  kept.set(id, { program, child, ended });

  child.once('error', (error) => {
    kept.delete(id);
    send({ type: 'refused', id, message: error.message });
    resolve();
  });
  child.once('spawn', () => {
    writeIdentity(program, child.pid ?? 0);
    send({ type: 'started', id, pid: child.pid ?? 0 });
  });
  child.once('exit', (code, signal) => {
    kept.delete(id);
    // What it started in its group and left behind, such as test processes and their programs.
    killGroup(child);
    if (readIdentity(program.identityFile)?.pid === child.pid) rmSync(program.identityFile, { force: true });
    send({ type: 'ended', id, code, signal });
    resolve();
  });
}

/** Writes the identity that a later start needs to end the program if this keeper is killed. */
function writeIdentity({ identityFile }: KeptProgram, pid: number): void {
  const identity = identifyProcess(pid);
  // It may have ended already, so there is no orphan to find.
  if (!identity) return;
  try {
    writeFileSync(identityFile, JSON.stringify(identity));
  } catch {
    // The disk is full or the folder is gone. The program itself will report that, and this keeper can still end it.
  }
}

function stopProgram(entry: Kept): Promise<void> {
  entry.stopping ??= (async () => {
    const { child, program, ended } = entry;
    child.kill('SIGTERM');
    await withTimeout(ended, program.stopWithinMs, () => killGroup(child));
    await ended;
  })();
  return entry.stopping;
}

async function shutDown(): Promise<void> {
  if (isShuttingDown) return;
  isShuttingDown = true;
  const waves = [...new Set([...kept.values()].map(({ program }) => program.wave))].sort((a, b) => b - a);
  for (const wave of waves) {
    await Promise.all([...kept.values()].filter(({ program }) => program.wave === wave).map(stopProgram));
  }
  process.exit(0);
}

process.on('message', (message: ToKeeper) => {
  if (message.type === 'start' && !isShuttingDown) {
    try {
      startProgram(message.id, message.program);
    } catch (error) {
      send({ type: 'refused', id: message.id, message: (error as Error).message });
    }
  }
  const entry = message.type === 'stop' ? kept.get(message.id) : undefined;
  if (entry) void stopProgram(entry);
});
// The programs must not outlive this keeper, even after a bug in it.
process.on('uncaughtException', () => void shutDown());
process.on('disconnect', () => void shutDown());
process.on('SIGTERM', () => void shutDown());
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
// The parent may have died before the listeners above were added.
if (!process.connected) void shutDown();
