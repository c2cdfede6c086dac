import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { OperatorError } from '#scripts/program/operator-error.ts';
import {
  type FromKeeper,
  firstChannelFd,
  type KeptProgram,
  type ProgramEnd,
  type ToKeeper,
} from './keeper-protocol.ts';

/** A program that runs under the keeper. */
export type KeptProcess = {
  pid: number;
  /** Settles when it ends for any reason. Never rejects. */
  ended: Promise<ProgramEnd>;
  /** Sends SIGTERM, and SIGKILL after `stopWithinMs`. Settles when the program has ended. */
  stop(): Promise<void>;
};

/** Runs programs that end with this process, even when this process is killed. */
export type Keeper = {
  pid: number;
  start(program: KeptProgram): Promise<KeptProcess>;
  /** The output of programs with `output: { channel }`. */
  channels: [Readable, Readable];
  /** Settles when the keeper has ended, by `close` or because it was killed. */
  gone: Promise<void>;
  /** Stops all programs wave by wave, then the keeper. */
  close(): Promise<void>;
};

type Pending = { started: PromiseWithResolvers<KeptProcess>; ended: PromiseWithResolvers<ProgramEnd> };

/** Starts the keeper in a session of its own, which Ctrl-C in the terminal does not reach. */
export async function startKeeper(): Promise<Keeper> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'process-keeper.ts')], {
    cwd: join(import.meta.dirname, '../../..'),
    detached: true,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));

  const pending = new Map<number, Pending>();
  child.on('message', (message: FromKeeper) => handleMessage(child, pending, message));
  child.on('error', () => {});
  void gone.then(() => {
    // Programs of a killed keeper run on without supervision, so the parent treats them as ended.
    for (const { started, ended } of pending.values()) {
      started.reject(new OperatorError('The keeper process of the servers has ended.'));
      ended.resolve({ code: null, signal: 'SIGKILL' });
    }
    pending.clear();
  });

  let lastId = 0;
  const start = async (program: KeptProgram): Promise<KeptProcess> => {
    const id = ++lastId;
    const entry: Pending = { started: Promise.withResolvers(), ended: Promise.withResolvers() };
    if (!send(child, { type: 'start', id, program })) throw new OperatorError('The servers are being stopped.');
    pending.set(id, entry);
    return entry.started.promise;
  };
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await gone;
  };

  return { pid: child.pid ?? 0, start, channels: [openChannel(child, 0), openChannel(child, 1)], gone, close };
}

function openChannel(child: ChildProcess, channel: 0 | 1): Readable {
  const fds: readonly unknown[] = child.stdio;
  const pipe = fds[firstChannelFd + channel];
  if (!(pipe instanceof Readable)) throw new Error('The keeper was started without its pipes.');
  return pipe;
}

function send(child: ChildProcess, message: ToKeeper): boolean {
  if (!child.connected) return false;
  child.send(message, () => {});
  return true;
}

function handleMessage(child: ChildProcess, pending: Map<number, Pending>, message: FromKeeper): void {
  const { id } = message;
  const entry = pending.get(id);
  if (!entry) return;
  if (message.type === 'started') {
    const ended = entry.ended.promise;
    const stop = async (): Promise<void> => {
      send(child, { type: 'stop', id });
      await ended;
    };
    entry.started.resolve({ pid: message.pid, ended, stop });
    return;
  }
  pending.delete(id);
  if (message.type === 'refused') entry.started.reject(new OperatorError(message.message));
  else entry.ended.resolve({ code: message.code, signal: message.signal });
}
