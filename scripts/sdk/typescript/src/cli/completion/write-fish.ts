import { type CommandWords, describeFirst, firstWords, flagsWithValue, type Values } from './describe-words.ts';

/** Returns the completion script of fish 3 or later. */
export function writeFish(commands: readonly CommandWords[]): string {
  const firsts = firstWords(commands);
  const groups = firsts.filter(({ members }) => members.some(({ words }) => words.length > 1));
  const common = commands[0]?.flags.filter(({ name }) => ['json', 'url', 'profile', 'help'].includes(name)) ?? [];
  const rule = (condition: string, rest: string) => `complete -c bluejay -n ${quote(condition)} ${rest}`;
  const flagRules = ({ flags }: Pick<CommandWords, 'flags'>, condition: string) =>
    flags.map(({ name, short, help, values }) =>
      rule(
        condition,
        `${short ? `-s ${short} ` : ''}-l ${name}${values ? ` ${action(values)}` : ''} -d ${quote(help)}`,
      ),
    );
  return [
    `# Prints the words typed so far, without flags and their values.
function __bluejay_words
    set -l words
    set -l is_value 0
    for token in (commandline -opc)[2..-1]
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch $token
            case ${flagsWithValue(commands).join(' ')}
                set is_value 1
            case '-*'
            case help
                test (count $words) -gt 0; and set -a words $token
            case '*'
                set -a words $token
        end
    end
    echo "$words"
end
function __bluejay_at
    test (__bluejay_words) = "$argv"
end
function __bluejay_in
    string match -q -- "$argv *" (__bluejay_words)" "
end
complete -c bluejay -f`,
    ...firsts.map(({ word, members }) => rule('__bluejay_at', `-a ${word} -d ${quote(describeFirst(members))}`)),
    rule('__bluejay_at', `-a help -d ${quote('Show the help of a command.')}`),
    rule('__bluejay_at', `-l version -d ${quote('Show the version.')}`),
    ...flagRules({ flags: common }, '__bluejay_at'),
    ...groups.flatMap(({ word, members }) =>
      members.map(({ words, summary }) => rule(`__bluejay_at ${word}`, `-a ${words[1]} -d ${quote(summary)}`)),
    ),
    ...commands.flatMap((command) => {
      const name = command.words.join(' ');
      const { argument } = command;
      const own = argument && argument.kind !== 'text' ? [rule(`__bluejay_at ${name}`, argumentAction(argument))] : [];
      return [...own, ...flagRules(command, `__bluejay_in ${name}`)];
    }),
  ].join('\n');
}

function argumentAction(values: Values): string {
  return values.kind === 'choices' ? `-a ${quote(values.choices.join(' '))}` : '-F';
}

function action(values: Values): string {
  if (values.kind === 'choices') return `-x -a ${quote(values.choices.join(' '))}`;
  return values.kind === 'file' ? '-r -F' : '-x';
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
