import { type Command, commonFlags, type Flag } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { suggest } from '../program/suggest.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Creates `completion`, which prints the completion script of a shell for these commands. */
export function createCompletionCommand(commands: readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print the completion script of a shell: bash, zsh or fish.',
    args: ['SHELL'],
    examples: [
      'source <(bluejay completion bash)',
      'source <(bluejay completion zsh)',
      'bluejay completion fish > ~/.config/fish/completions/bluejay.fish',
    ],
    async run({ args, out }) {
      const [shell = ''] = args;
      if (!shells.some((each) => each === shell)) {
        throw new UsageError(
          `There is no completion for "${shell}".`,
          suggest(shell, shells) ?? 'Use bash, zsh or fish.',
        );
      }
      const script = shell === 'fish' ? writeFish(commands) : writeBash(commands, shell === 'zsh');
      out.result({ shell, script }, () => [script]);
    },
  };
}

const flagsOf = ({ flags }: Command): [string, Flag][] => Object.entries({ ...flags, ...commonFlags });

/** The names are ours and contain neither quotes nor spaces besides those between words. */
function writeBash(commands: readonly Command[], isZsh: boolean): string {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const groups = [...new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0]))];
  const seconds = groups.map((group) => {
    const words = commands.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.split(' ')[1]);
    return `      ${group}) words="${words.join(' ')}" ;;`;
  });
  const choices = commands.flatMap((command) =>
    flagsOf(command).flatMap(([flag, { choices: values }]) =>
      values ? [`    "${command.name} --${flag}") words="${values.join(' ')}" ;;`] : [],
    ),
  );
  const flags = commands.map((command) => {
    const names = flagsOf(command).map(([flag]) => `--${flag}`);
    return `    "${command.name}") words="${names.join(' ')}" ;;`;
  });
  return [
    ...(isZsh ? ['autoload -U +X compinit && compinit -u', 'autoload -U +X bashcompinit && bashcompinit'] : []),
    '_bluejay() {',
    '  local current="$' + '{COMP_WORDS[COMP_CWORD]}" previous="$' + '{COMP_WORDS[COMP_CWORD-1]}" words="" command',
    '  command="$' + '{COMP_WORDS[1]}"',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${firsts.join(' ')} --help --version"`,
    '  else',
    '    if [ "$COMP_CWORD" -eq 2 ]; then case "$command" in',
    ...seconds,
    `      completion) words="${shells.join(' ')}" ;;`,
    '    esac; fi',
    `    case "$command" in ${groups.join('|')}) command="$command \${COMP_WORDS[2]}" ;; esac`,
    '  fi',
    '  if [ -z "$words" ]; then case "$command $previous" in',
    ...choices,
    '  esac; fi',
    '  if [ -z "$words" ]; then case "$current" in -*) case "$command" in',
    ...flags,
    '  esac ;; esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    // Without a match the shell completes file names.
    'complete -o default -F _bluejay bluejay',
  ].join('\n');
}

function writeFish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap((command) => {
    const words = command.name.split(' ');
    const [first = '', second] = words;
    const own = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const before = second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`;
    const head = second === undefined ? [] : [`complete -c bluejay -n __fish_use_subcommand -a ${first}`];
    return [
      ...head,
      `complete -c bluejay -n ${quote(before)} -a ${second ?? first} -d ${quote(command.summary)}`,
      ...flagsOf(command).map(([flag, { value, choices, help }]) => {
        const values = choices ? ` -x -a ${quote(choices.join(' '))}` : value ? ' -r' : '';
        return `complete -c bluejay -n ${quote(own)} -l ${flag}${values} -d ${quote(help)}`;
      }),
    ];
  });
  const shellNames = `complete -c bluejay -n '__fish_seen_subcommand_from completion' -a ${quote(shells.join(' '))}`;
  return [...new Set([...lines, shellNames])].join('\n');
}
