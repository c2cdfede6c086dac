import { version } from '../index.ts';
import { commands } from './commands.ts';
import type { Command } from './program/command.ts';
import { Interrupted, UsageError } from './program/failure.ts';
import { describeCommand, describeProgram } from './program/help.ts';
import { createOutput, endWithClosedPipe } from './program/output.ts';
import { parseInput } from './program/parse-input.ts';
import { printFailure } from './program/print-failure.ts';
import { suggest } from './program/suggest.ts';

const interruptedCode = 130;

/** Runs a command line. Returns its exit code: 0 done, 1 refused, 2 wrong command line, 130 interrupted. */
export async function runCli(words: readonly string[]): Promise<number> {
  endWithClosedPipe();
  const isJson = words.includes('--json');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The second one ends a command that does not react to the first.
      if (stopping.signal.aborted) process.exit(interruptedCode);
      stopping.abort(new Interrupted('stopped'));
    });
  }
  try {
    const found = findCommand(words);
    if ('lines' in found) {
      process.stdout.write(`${found.lines.join('\n')}\n`);
      return 0;
    }
    const { command, rest } = found;
    const input = parseInput(command, rest);
    if (input.has('help')) {
      process.stdout.write(`${describeCommand(command).join('\n')}\n`);
      return 0;
    }
    await command.run({ ...input, out: createOutput(isJson), env: process.env, signal: stopping.signal });
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) return interruptedCode;
    return printFailure(error, { isJson });
  }
}

type Found = { command: Command; rest: readonly string[] } | { lines: readonly string[] };

/** Finds the command of a command line, or the help or version that it asks for. Throws UsageError. */
function findCommand(words: readonly string[]): Found {
  const [first, second] = words;
  const wantsHelp = words.some((word) => word === '--help' || word === '-h');
  if (first === '--version') return { lines: [version] };
  if (first === 'help') {
    if (second === undefined) return { lines: describeProgram(commands) };
    return findCommand([...words.slice(1), '--help']);
  }
  if (first === undefined || (wantsHelp && first.startsWith('-'))) return { lines: describeProgram(commands) };
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command) return { command, rest: words.slice(length) };
  }
  const inGroup = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (inGroup.length > 0 && (second === undefined || wantsHelp)) return { lines: describeProgram(commands, first) };
  const typed = inGroup.length > 0 ? `${first} ${second}` : first;
  const names = inGroup.length > 0 ? inGroup : [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  throw new UsageError(
    `There is no command "${typed}".`,
    suggest(typed, names) ?? 'bluejay --help lists the commands.',
  );
}
