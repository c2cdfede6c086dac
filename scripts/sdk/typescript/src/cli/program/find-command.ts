import { version } from '../sdk.ts';
import { type Command, commonFlags, type Flag } from './command.ts';
import { UsageError } from './failure.ts';
import { describeProgram } from './help.ts';
import { suggest } from './suggest.ts';

type Found = { command: Command; rest: readonly string[] } | { lines: readonly string[] };

/** Finds the command of a command line, or the help or version that it asks for. Throws UsageError. */
export function findCommand(commands: readonly Command[], typed: readonly string[]): Found {
  const { leading, words } = splitLeadingFlags(typed);
  const [first, second] = words;
  const wantsHelp = words.some((word) => word === '--help' || word === '-h');
  if (first === '--version') return { lines: [version] };
  if (first === 'help') {
    if (second === undefined) return { lines: describeProgram(commands) };
    return findCommand(commands, [...words.slice(1), '--help']);
  }
  if (first === undefined || (wantsHelp && first.startsWith('-'))) return { lines: describeProgram(commands) };
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command) return { command, rest: [...leading, ...words.slice(length)] };
  }
  const inGroup = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (inGroup.length > 0 && (second === undefined || wantsHelp)) return { lines: describeProgram(commands, first) };
  throw explainUnknown(commands, inGroup, words);
}

function explainUnknown(commands: readonly Command[], inGroup: readonly string[], words: readonly string[]) {
  const [first = '', second] = words;
  if (first.startsWith('-')) {
    const flags = [...Object.keys(commonFlags), 'version'].map((name) => `--${name}`);
    return new UsageError(
      `Unknown flag ${first}.`,
      suggest(first, flags) ?? 'Flags follow the command. See bluejay --help.',
    );
  }
  if (inGroup.length > 0) {
    const name = `${first} ${second}`;
    return new UsageError(`There is no command "${name}".`, suggest(name, inGroup) ?? `See bluejay ${first} --help.`);
  }
  const names = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  return new UsageError(`There is no command "${first}".`, suggest(first, names) ?? 'See bluejay --help.');
}

/** Splits off the common flags before the command, so that `bluejay --profile live wallet` works. */
function splitLeadingFlags(typed: readonly string[]): { leading: readonly string[]; words: readonly string[] } {
  let length = 0;
  while (length < typed.length) {
    const [name = '', value] = (typed[length] ?? '').split('=', 2);
    const flag: Flag | undefined = Object.entries(commonFlags).find(([each]) => `--${each}` === name)?.[1];
    if (!flag || name === '--help') break;
    length += flag.value !== undefined && value === undefined ? 2 : 1;
  }
  return { leading: typed.slice(0, length), words: typed.slice(length) };
}
