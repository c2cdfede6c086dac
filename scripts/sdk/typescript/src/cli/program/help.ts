import { type Command, commonFlags, type Flags } from './command.ts';
import { exitCodes } from './exit-code.ts';
import { wrap, wrappedTable } from './output.ts';

const indentation = 2;
const indent = (lines: readonly string[]) => lines.map((line) => `${' '.repeat(indentation)}${line}`);
const columns = (rows: readonly (readonly [string, string])[]) => indent(wrappedTable(rows, indentation));

/** Returns the help of a command, its examples first. */
export function describeCommand(command: Command): string[] {
  const { name, summary, args = [], flags = {}, examples, notes = [] } = command;
  const usage = ['bluejay', name, ...args, '[flags]'].join(' ');
  const lines = [...wrapped(summary), '', 'Examples:', ...indent(examples), '', 'Usage:', `  ${usage}`, ''];
  if (Object.keys(flags).length > 0) lines.push('Flags:', ...columns(describeFlags(flags)), '');
  lines.push('Common flags:', ...columns(describeFlags(commonFlags)));
  return notes.length > 0 ? [...lines, '', ...notes.flatMap(wrapped)] : lines;
}

/** Returns the help of the program, or of a group of commands such as `mails`. */
export function describeProgram(commands: readonly Command[], group?: string): string[] {
  const isInGroup = (command: Command) => group === undefined || command.name.startsWith(`${group} `);
  const shown = commands.filter(isInGroup);
  const examples = group
    ? shown.map((command) => command.examples[0] ?? '')
    : ['bluejay login', 'bluejay preflight letter.pdf', 'bluejay send letter.pdf --to adr_… --dry-run'];
  return [
    group ? `Commands of bluejay ${group}.` : 'Send letters and follow them.',
    '',
    'Examples:',
    ...indent(examples),
    '',
    'Commands:',
    ...columns(shown.map(({ name, args = [], summary }) => [[name, ...args].join(' '), summary])),
    '',
    ...(group ? [] : describeExitCodes()),
    ...wrapped('Key and URL: BLUEJAY_API_KEY and BLUEJAY_URL, then what bluejay login has stored.'),
    ...wrapped('Help of a command: bluejay COMMAND --help'),
  ];
}

function describeExitCodes(): string[] {
  const rows = Object.values(exitCodes).map(([code, meaning]) => [String(code), meaning] as const);
  return ['Exit codes:', ...columns([...rows, ['130', 'Ctrl-C']]), ''];
}

const wrapped = (text: string) => (process.stdout.isTTY ? wrap(text, Math.max(process.stdout.columns, 20)) : [text]);

function describeFlags(flags: Flags): (readonly [string, string])[] {
  return Object.entries(flags).map(([name, { value, choices, short, help }]) => {
    const head = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return [head, choices ? `${help} One of ${choices.join(', ')}.` : help] as const;
  });
}
