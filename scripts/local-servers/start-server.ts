import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../program/operator-error.ts';
import type { ServerBinary } from './binaries/binary.ts';
import type { KeptProgram } from './keeper/keeper-protocol.ts';
import type { Keeper, KeptProcess } from './keeper/start-keeper.ts';
import { findRememberedPort, waitForListener } from './ports.ts';

/** A server that this process has started and that ends with it. */
export type LocalServer = {
  /** The display name: `MongoDB`. */
  name: string;
  version: string;
  port: number;
  logFile: string;
  process: KeptProcess;
  /** The variables with its address and credentials. */
  environment: Record<string, string>;
  /** Starts it again on the same address and data after it has ended. */
  restart(): Promise<KeptProcess>;
};

export type ServerOptions = {
  keeper: Keeper;
  binary: ServerBinary;
  /** Data go to a folder of the server's own, the log to `<dataDir>/logs`. */
  dataDir: string;
};

const listenWithinMs = 30_000;

/** Creates the folders of a server, finds its port, and returns what all servers' programs have in common. */
export async function prepareServer(dataDir: string, key: string, folder = key) {
  const cwd = join(dataDir, folder);
  const logFile = join(dataDir, 'logs', `${key}.log`);
  await mkdir(cwd, { recursive: true });
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const port = await findRememberedPort(dataDir, key);
  const output = { file: logFile };
  return { port, logFile, program: { cwd, output, identityFile: join(dataDir, 'run', `${key}.json`), wave: 1 } };
}

/** Starts the program and waits until it listens on its loopback port. Throws an OperatorError with its last output. */
export async function startListening(keeper: Keeper, program: KeptProgram, port: number): Promise<KeptProcess> {
  const kept = await keeper.start(program);
  let isAlive = true;
  void kept.ended.then(() => {
    isAlive = false;
  });
  if (await waitForListener(port, () => isAlive, listenWithinMs)) return kept;
  const hasEnded = !isAlive;
  await kept.stop();
  const how = hasEnded ? 'ended at once' : `did not listen on port ${port} within ${listenWithinMs / 1000} s`;
  throw new OperatorError(`${program.name} ${how}. Its last output:\n${await readLastLines(program)}`);
}

/** Returns the last 8 lines of a program's log file, indented, and the path of the file. */
async function readLastLines({ output }: KeptProgram): Promise<string> {
  if (!('file' in output)) return '';
  const text = await readFile(output.file, 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n').slice(-8);
  return `${lines.map((line) => `  ${line.slice(0, 300)}`).join('\n')}\nFull log: ${output.file}`;
}
