import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openOnce, testWithPrograms } from '../jest.ts';
import { type Program, startNode } from '../processes/process-control.ts';
import { aPdf, type CustomerOptions } from '../product/customer.ts';
import type { World } from '../product/world.ts';

export const main = join(import.meta.dirname, '../../../scripts/sdk/cli/main.ts');
/** The flags of a recipient. */
export const recipient = ['--name', 'Ada Peeters', '--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles'];

export type Environment = Record<string, string>;

/** Starts `bluejay` without a terminal, for what only a process of its own shows. */
export function startCli(words: string[], environment: Environment): Program {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return startNode([main, ...words], { environment: { PATH, NODE_COMPILE_CACHE, ...environment } });
}

/** `columns` are those of a terminal that shows the output. Without them there is no terminal. */
export type CommandLine = { words: string[]; environment: Environment; columns?: number };
type Result = { code: number; stdout: string; output: string };

/** Opens a process for the command lines of a file. It runs one at a time: its output is that of one process. */
export function openCli() {
  return openOnce(async () => {
    const child = fork(join(import.meta.dirname, 'cli.program.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const ended = once(child, 'exit');
    let last: Promise<unknown> = Promise.resolve();
    const runNext = async (line: CommandLine): Promise<Result> => {
      child.send(line);
      const [answer] = await Promise.race([once(child, 'message'), ended]);
      if (typeof answer !== 'object')
        throw new Error(`The process ended with ${answer} during ${line.words.join(' ')}`);
      return answer;
    };
    return {
      /** Runs `bluejay` to its end. `code` is its exit code, `output` has both streams. */
      run(words: string[], environment: Environment = {}, columns?: number): Promise<Result> {
        const result = last.then(() => runNext({ words, environment, ...(columns && { columns }) }));
        last = result.catch(() => {});
        return result;
      },
      async close() {
        if (child.connected) child.disconnect();
        await ended;
      },
    };
  });
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

/** Runs `bluejay` on a terminal of its own, and types. */
export async function runCliOnTerminal(
  words: string[],
  { steps = [], environment = {}, columns = 200 }: { steps?: Step[]; environment?: Environment; columns?: number },
): Promise<Shown> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const all = { PATH, NODE_COMPILE_CACHE, TERM: 'xterm', ...environment };
  const command = [process.execPath, main, ...words];
  const asked = JSON.stringify({ command, steps, columns, environment: all });
  const program = join(import.meta.dirname, 'terminal.py');
  const { stdout } = await promisify(execFile)('python3', [program, asked]);
  return JSON.parse(stdout);
}
