import { type Command, commonFlags, type Flags } from './command.ts';
import { table } from './output.ts';

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** Returns the help of a command, its examples first. */
export function describeCommand(command: Command): string[] {
  const { name, summary, args = [], flags = {}, examples, notes = [] } = command;
  const usage = ['bluejay', name, ...args, '[flags]'].join(' ');
  const lines = [summary, '', 'Examples:', ...indent(examples), '', 'Usage:', `  ${usage}`, ''];
  if (Object.keys(flags).length > 0) lines.push('Flags:', ...indent(describeFlags(flags)), '');
  lines.push('Common flags:', ...indent(describeFlags(commonFlags)));
  return notes.length > 0 ? [...lines, '', ...notes] : lines;
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
    ...indent(table(shown.map(({ name, args = [], summary }) => [[name, ...args].join(' '), summary]))),
    '',
    'Key and URL: BLUEJAY_API_KEY and BLUEJAY_URL, then what bluejay login has stored.',
    'Exit codes: 0 done, 1 refused, 2 wrong command line. Help of a command: bluejay COMMAND --help',
  ];
}

function describeFlags(flags: Flags): string[] {
  return table(
    Object.entries(flags).map(([name, { value, choices, short, help }]) => {
      const head = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
      return [head, choices ? `${help} One of ${choices.join(', ')}.` : help];
    }),
  );
}
