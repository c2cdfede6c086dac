import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testWithPrograms } from '../jest.ts';
import { type Program, startNode } from '../processes/process-control.ts';
import { aPdf, type CustomerOptions } from '../product/customer.ts';
import type { World } from '../product/world.ts';

export const main = join(import.meta.dirname, '../../../scripts/sdk/typescript/src/cli/main.ts');
/** The flags of a recipient. */
export const recipient = ['--name', 'Ada Peeters', '--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles'];

export type Environment = Record<string, string>;

/** Starts `bluejay` without a terminal. */
export function startCli(words: string[], environment: Environment): Program {
  return startNode([main, ...words], { environment: { PATH: process.env.PATH, ...environment } });
}

/** Runs `bluejay` to its end, without a terminal. `output` has both streams. */
export async function runCli(words: string[], environment: Environment) {
  const program = startCli(words, environment);
  return { code: await program.ended, stdout: program.standardOutput(), output: program.output() };
}

/** Returns the environment of a user with a key and an empty home, which also has a letter. */
export async function aUser(world: World, folder: string, options: CustomerOptions = {}) {
  const customer = await world.customer({ balanceCents: 100_000, ...options });
  const file = join(folder, 'letter.pdf');
  await writeFile(file, await aPdf(2));
  const home = { HOME: folder, XDG_CONFIG_HOME: folder };
  const environment: Environment = { ...home, BLUEJAY_URL: world.url, BLUEJAY_API_KEY: customer.key };
  return { customer, file, home, environment };
}

/** What to type once the output since the previous step matches. A text such as `SIGTERM` is sent as a signal. */
export type Step = [pattern: string, text: string];

/** `code` is negative for the signal that ended the program. `isRestored`: the terminal is in its first modes again. */
export type Shown = { output: string; code: number | 'late'; isRestored: boolean };

/** `test`, if there is the Python that opens terminals. */
export const testOnTerminal = testWithPrograms('python3');

/** Runs a program on a terminal of its own, and types. */
export async function runOnTerminal(
  command: readonly string[],
  { steps = [], environment = {}, columns = 200 }: { steps?: Step[]; environment?: Environment; columns?: number },
): Promise<Shown> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const all = { PATH, NODE_COMPILE_CACHE, TERM: 'xterm', ...environment };
  const asked = JSON.stringify({ command, steps, columns, environment: all });
  const program = join(import.meta.dirname, 'terminal.py');
  const { stdout } = await promisify(execFile)('python3', [program, asked], { timeout: 90_000 });
  return JSON.parse(stdout);
}

/** Runs `bluejay` on a terminal of its own. */
export function runCliOnTerminal(words: string[], options: Parameters<typeof runOnTerminal>[1]): Promise<Shown> {
  return runOnTerminal([process.execPath, main, ...words], options);
}
