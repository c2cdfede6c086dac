import { parseArgs } from 'node:util';
import { type Command, commonFlags, type Flags, type Input } from './command.ts';
import { UsageError } from './failure.ts';
import { suggest } from './suggest.ts';

// parseArgs of Node is enough, so the package installs nothing besides itself.

/** Reads the words that follow a command's name. Throws UsageError. */
export function parseInput(command: Command, words: readonly string[]): Input {
  const flags: Flags = { ...command.flags, ...commonFlags };
  const help = `See bluejay ${command.name} --help.`;
  const { values, positionals } = parse(flags, words, help);
  for (const [name, { choices }] of Object.entries(flags)) {
    for (const value of values[name] ?? []) {
      if (value === '') throw new UsageError(`--${name} is empty.`, help);
      if (choices && !choices.includes(String(value))) {
        throw new UsageError(
          `--${name} must be one of ${choices.join(', ')}.`,
          suggest(String(value), choices) ?? help,
        );
      }
    }
  }
  const { args = [] } = command;
  const missing = values.help ? undefined : args.find((name, index) => !name.startsWith('[') && !positionals[index]);
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`, help);
  if (positionals.length > args.length) {
    throw new UsageError(`Unexpected argument "${positionals[args.length]}".`, help);
  }
  const all = (flag: string) => (values[flag] ?? []).map(String);
  return { args: positionals, text: (flag) => all(flag).at(-1), all, has: (flag) => values[flag] !== undefined };
}

type Values = Record<string, (string | boolean)[] | undefined>;

function parse(flags: Flags, words: readonly string[], help: string): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, short }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), multiple: true as const, ...(short && { short }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const flag = /'(-[^']*)'/.exec(message)?.[1] ?? '';
      const names = Object.keys(flags).map((name) => `--${name}`);
      throw new UsageError(`Unknown flag ${flag}.`, suggest(flag, names) ?? help);
    }
    if (code?.startsWith('ERR_PARSE_ARGS'))
      throw new UsageError(message.split('. ')[0]?.replace(/\.?$/, '.') ?? '', help);
    throw error;
  }
}
