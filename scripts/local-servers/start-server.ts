import { readFile } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import type { KeptProgram } from './keeper-protocol.ts';
import { waitForListener } from './ports.ts';
import type { Keeper, KeptProcess } from './start-keeper.ts';

/** A server that this process started and that ends with it. */
export type LocalServer = {
  /** For people: `MongoDB`. */
  name: string;
  version: string;
  port: number;
  logFile: string;
  process: KeptProcess;
  /** The variables that point the product to it. */
  environment: Record<string, string>;
  /** Starts it again, at the same address, on the same data, after it has ended. */
  restart(): Promise<KeptProcess>;
};

const listenWithinMs = 30_000;

/** Starts the program and waits until it listens on its loopback port. Throws OperatorError with its last words. */
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
  throw new OperatorError(`${program.name} ${how}. Its last words:\n${await readLastLines(program)}`);
}

/** The last lines of a program's log file, indented, for an error message. */
async function readLastLines({ output }: KeptProgram): Promise<string> {
  if (!('file' in output)) return '';
  const text = await readFile(output.file, 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n').slice(-8);
  return `${lines.map((line) => `  ${line.slice(0, 300)}`).join('\n')}\nThe whole log: ${output.file}`;
}
