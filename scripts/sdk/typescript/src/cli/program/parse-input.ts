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
  for (const [name, flag] of Object.entries(flags)) checkValues(`--${name}`, flag, values[name] ?? [], help);
  const { args = [] } = command;
  const missing = values.help ? undefined : args.find((_, index) => !positionals[index]);
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`, help);
  if (positionals.length > args.length) {
    throw new UsageError(`Unexpected argument "${positionals[args.length]}".`, help);
  }
  const all = (flag: string) => (values[flag] ?? []).map(String);
  return { args: positionals, text: (flag) => all(flag).at(-1), all, has: (flag) => values[flag] !== undefined };
}

type Values = Record<string, (string | boolean)[] | undefined>;

function checkValues(
  name: string,
  { value, choices, multiple }: Flags[string],
  given: readonly unknown[],
  help: string,
) {
  // The first one would be lost, and with it a recipient.
  if (value && !multiple && given.length > 1) throw new UsageError(`${name} is given more than once.`, help);
  for (const each of given.map(String)) {
    if (each === '') throw new UsageError(`${name} is empty.`, help);
    if (choices && !choices.includes(each)) {
      throw new UsageError(
        `${name} must be one of ${choices.join(', ')}, not "${each}".`,
        suggest(each, choices) ?? help,
      );
    }
  }
}

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
    throw explain(error as NodeJS.ErrnoException, flags, help);
  }
}

function explain(error: NodeJS.ErrnoException, flags: Flags, help: string): Error {
  const { code, message } = error;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const flag = /'(-[^']*)'/.exec(message)?.[1] ?? '';
    const names = Object.keys(flags).map((name) => `--${name}`);
    return new UsageError(`Unknown flag ${flag}.`, suggest(flag, names) ?? help);
  }
  const name = /--([\w-]+)/.exec(message)?.[1] ?? '';
  const { value } = flags[name] ?? {};
  if (!value) return new UsageError(`--${name} takes no value.`, help);
  return new UsageError(
    `--${name} needs a value: --${name} ${value}, or --${name}=${value} if it begins with "-".`,
    help,
  );
}
