import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptProgram } from '#scripts/local-servers/keeper/keeper-protocol.ts';
import type { Keeper, KeptProcess } from '#scripts/local-servers/keeper/start-keeper.ts';

/** A program of the print system that a test may stop, kill and start again. It ends with this process. */
export type KeptServer = {
  pid(): number;
  start(): Promise<void>;
  /** Ends it in an orderly way. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
};

/** Starts a program under the keeper. `isReady` waits until it serves, or throws. */
export async function startKept(
  keeper: Keeper,
  { name, command, args, folder, environment = {} }: KeptCommand,
  isReady: () => Promise<unknown>,
): Promise<KeptServer> {
  const log = join(folder, `${name}.log`);
  const program: KeptProgram = {
    ...{ name, command, args, cwd: folder, wave: 1, stopWithinMs: 10_000 },
    environment: { PATH: process.env.PATH ?? '', ...environment },
    output: { file: log },
    identityFile: join(folder, `${name}.json`),
  };
  let running: KeptProcess;
  const start = async () => {
    running = await keeper.start(program);
    const ended = running.ended.then(() => Promise.reject(new Error(`${name} has ended`)));
    try {
      await Promise.race([isReady(), ended]);
    } catch (error) {
      throw new Error(`${name} does not serve. Its log:\n${await readFile(log, 'utf8')}`, { cause: error });
    } finally {
      ended.catch(() => {});
    }
  };
  await start();
  return {
    pid: () => running.pid,
    start,
    stop: () => running.stop(),
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await running.ended;
    },
  };
}

export type KeptCommand = {
  /** Also the name of its log file. */
  name: string;
  command: string;
  args: string[];
  folder: string;
  environment?: Record<string, string>;
};
