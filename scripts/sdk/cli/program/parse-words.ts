import { CommanderError, InvalidArgumentError, Option, Command as Parser } from 'commander';
import { version } from '../sdk.ts';
import { type Command, commonFlags, type Flag, type Flags, type Input } from './command.ts';
import { describeExitCodes } from './exit-code.ts';
import { UsageError } from './failure.ts';

export type Call = { command: Command; input: Input };
/** Commands whose names start with the same word, and what the help says about them. */
export type Groups = Readonly<Record<string, string>>;

const examplesOfProgram = [
  'bluejay login',
  'bluejay preflight letter.pdf',
  'bluejay send letter.pdf --to adr_… --dry-run',
];

/**
 * Finds the command that the words name, and its input. Prints the help or the version if they ask for it, and returns
 * null. Throws UsageError.
 */
export function parseWords(commands: readonly Command[], groups: Groups, words: readonly string[]): Call | null {
  let call: Call | null = null;
  const program = new Parser('bluejay')
    .description('Send letters and follow them.')
    .version(version, '--version', 'Show the version.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help [command]', 'Show the help of a command.')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    // `printFailure` prints errors. What else commander writes there is help: that of a group, without a command.
    .configureOutput({ outputError: () => {}, writeErr: (text) => process.stdout.write(text) })
    .addHelpText('after', describeExamples(examplesOfProgram))
    .addHelpText('after', describeExitCodes())
    .addHelpText('after', '\nKey and URL: BLUEJAY_API_KEY and BLUEJAY_URL, then what bluejay login has stored.');
  explainErrors(program, 'bluejay');
  addFlags(program, commonFlags, words);
  const findGroup = (word: string) =>
    program.commands.find((each) => each.name() === word) ??
    explainErrors(program.command(word), `bluejay ${word}`).description(groups[word] ?? '');
  for (const command of commands) {
    const { name, summary, args = [], flags = {}, examples, notes = [] } = command;
    const [first = '', second] = name.split(' ');
    const parent = second === undefined ? program : findGroup(first);
    const leaf = explainErrors(parent.command(second ?? first), `bluejay ${name}`);
    leaf
      .summary(summary)
      .description([summary, ...notes].join(' '))
      .addHelpText('after', describeExamples(examples));
    for (const arg of args) leaf.argument(`<${arg}>`, '', requireText);
    addFlags(leaf, flags, words);
    leaf.action(() => {
      call = { command, input: readInput(leaf) };
    });
  }
  try {
    program.parse(withHelpFlag(program, words), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return call;
}

/** Turns `help WORDS` into `WORDS --help`: commander reads one word behind `help`, and takes an unknown one for none. */
function withHelpFlag(program: Parser, words: readonly string[]): string[] {
  const [first, ...named] = words;
  if (first !== 'help' || named.length === 0) return [...words];
  return program.commands.some((each) => each.name() === named[0]) ? [...named, '--help'] : named;
}

function describeExamples(examples: readonly string[]): string {
  return ['', 'Examples:', ...examples.map((example) => `  ${example}`)].join('\n');
}

/** Makes a parser throw what the user got wrong as a UsageError. Help and version throw a CommanderError. */
function explainErrors(parser: Parser, name: string): Parser {
  return parser.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const [, problem = '', suggestion] = /^error: (.*?)\.?(?:\n\((Did you mean .*)\))?$/s.exec(error.message) ?? [];
    throw new UsageError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`, suggestion ?? `See ${name} --help.`);
  });
}

function addFlags(parser: Parser, flags: Flags, words: readonly string[]): void {
  for (const [name, flag] of Object.entries(flags)) parser.addOption(describeFlag(name, flag, words));
}

/** Returns the option of a flag. Its value is the list of all values given. */
function describeFlag(name: string, { value, choices, multiple, short, help }: Flag, words: readonly string[]): Option {
  const option = new Option(`${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`, help);
  if (!value) return option;
  if (choices) option.choices(choices);
  const { parseArg: checkChoice } = option;
  return option.argParser((text, previous: readonly string[] = []) => {
    // Commander would take the next flag as the value: `--external-id --dry-run` would send the letter.
    if (/^-\D/.test(text) && !words.includes(`--${name}=${text}`)) {
      throw new InvalidArgumentError(`It needs a value, or --${name}=${text} if that is meant.`);
    }
    // The first one would be lost, and with it a recipient.
    if (!multiple && previous.length > 0) throw new InvalidArgumentError('It is given more than once.');
    requireText(text);
    checkChoice?.(text, text);
    return [...previous, text];
  });
}

function requireText(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

function readInput(leaf: Parser): Input {
  const values = leaf.optsWithGlobals();
  const given = (flag: string) => values[new Option(`--${flag}`).attributeName()];
  const all = (flag: string): readonly string[] => given(flag) ?? [];
  return { args: leaf.args, all, text: (flag) => all(flag).at(-1), has: (flag) => given(flag) !== undefined };
}
