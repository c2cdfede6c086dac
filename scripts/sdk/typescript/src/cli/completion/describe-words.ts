import { type Command, commonFlags, type Flag } from '../program/command.ts';

/** What the shells complete a flag's value or an argument to. */
export type Values = { kind: 'file' } | { kind: 'choices'; choices: readonly string[] } | { kind: 'text' };

export type FlagWords = { name: string; short: string | undefined; help: string; values: Values | null };

/** What the shells need to know about a command. `words` are those of its name. */
export type CommandWords = {
  words: readonly string[];
  summary: string;
  flags: readonly FlagWords[];
  /** Null for a command without an argument. */
  argument: Values | null;
};

/** Returns the words that the completion scripts offer. Names of commands, flags and choices have neither quotes nor spaces. */
export function describeWords(commands: readonly Command[]): CommandWords[] {
  return commands.map(({ name, summary, args = [], argChoices, flags = {} }) => ({
    words: name.split(' '),
    summary,
    flags: Object.entries<Flag>({ ...flags, ...commonFlags }).map(([flag, description]) => ({
      ...{ name: flag, short: description.short, help: description.help, values: valuesOf(description) },
    })),
    argument: args.length === 0 ? null : valuesOfArgument(argChoices),
  }));
}

/** Returns the first words of the commands, each once. `group` has a summary when the word is a whole command. */
export function firstWords(commands: readonly CommandWords[]): { word: string; members: CommandWords[] }[] {
  const names = [...new Set(commands.map(({ words }) => words[0] ?? ''))];
  return names.map((word) => ({ word, members: commands.filter(({ words }) => words[0] === word) }));
}

/** Returns what describes a first word: the summary of its command, or the names of its commands. */
export function describeFirst(members: readonly CommandWords[]): string {
  const [only] = members;
  if (only?.words.length === 1) return only.summary;
  return `Commands: ${members.map(({ words }) => words[1]).join(', ')}.`;
}

/** Returns the flags of all commands that take a value, as a shell has to skip the word behind them. */
export function flagsWithValue(commands: readonly CommandWords[]): string[] {
  const names = commands.flatMap(({ flags }) => flags.filter(({ values }) => values).map(({ name }) => `--${name}`));
  return [...new Set(names)];
}

function valuesOf({ value, choices, isFile }: Flag): Values | null {
  if (!value) return null;
  if (choices) return { kind: 'choices', choices };
  return { kind: isFile ? 'file' : 'text' };
}

function valuesOfArgument(choices: readonly string[] | undefined): Values {
  if (choices === undefined) return { kind: 'file' };
  return choices.length > 0 ? { kind: 'choices', choices } : { kind: 'text' };
}
