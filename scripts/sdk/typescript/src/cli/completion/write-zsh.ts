import { type CommandWords, describeFirst, type FlagWords, firstWords, type Values } from './describe-words.ts';

/** Returns the completion script of zsh, to be sourced, or stored as `_bluejay` in a folder of `fpath`. */
export function writeZsh(commands: readonly CommandWords[]): string {
  const firsts = firstWords(commands);
  const groups = firsts.filter(({ members }) => members.some(({ words }) => words.length > 1));
  const [anyCommand] = commands;
  const leading = (anyCommand?.flags ?? []).filter(({ name }) => ['json', 'url', 'profile', 'help'].includes(name));
  return `#compdef bluejay
_bluejay() {
  local curcontext="$curcontext" state line
  local -a commands=(
${firsts.map(({ word, members }) => `    ${quote(`${word}:${describeFirst(members)}`)}`).join('\n')}
    'help:Show the help of a command.'
  )
  _arguments -C ${leading.map(flagSpec).join(' ')} '--version[Show the version.]' \\
    '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe command commands ;;
    arguments) [ "$words[1]" = help ] && { shift words; CURRENT=$((CURRENT - 1)); (( CURRENT == 1 )) && { _describe command commands; return; }; }
      case $words[1] in
${firsts.map(({ word, members }) => `        ${word}) ${caseOf(word, members)} ;;`).join('\n')}
      esac ;;
  esac
}
${groups.map(({ word, members }) => groupFunction(word, members)).join('\n')}
if [ "$funcstack[1]" = _bluejay ]; then
  _bluejay "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _bluejay bluejay
fi`;
}

function caseOf(word: string, members: readonly CommandWords[]): string {
  const [only] = members;
  return only?.words.length === 1 ? argumentsOf(only) : `_bluejay_${word}`;
}

function groupFunction(group: string, members: readonly CommandWords[]): string {
  return `_bluejay_${group}() {
  local curcontext="$curcontext" state line
  local -a commands=(
${members.map(({ words, summary }) => `    ${quote(`${words[1]}:${summary}`)}`).join('\n')}
  )
  _arguments -C '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe command commands ;;
    arguments) case $words[1] in
${members.map((member) => `      ${member.words[1]}) ${argumentsOf(member)} ;;`).join('\n')}
    esac ;;
  esac
}`;
}

function argumentsOf({ flags, argument }: CommandWords): string {
  const positional = argument ? [quote(`1:argument:${action(argument)}`)] : [];
  return ['_arguments', ...flags.map(flagSpec), ...positional].join(' ');
}

function flagSpec({ name, short, help, values }: FlagWords): string {
  const text = `[${help.replace(/[[\]\\:]/g, '\\$&')}]`;
  if (values) return quote(`*--${name}=${text}:value:${action(values)}`);
  return [short && quote(`-${short}${text}`), quote(`--${name}${text}`)].filter(Boolean).join(' ');
}

function action(values: Values): string {
  if (values.kind === 'choices') return `(${values.choices.join(' ')})`;
  return values.kind === 'file' ? '_files' : ' ';
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
