import { type CommandWords, firstWords, flagsWithValue, type Values } from './describe-words.ts';

/** Returns the completion script of bash 4 or later. It needs no package besides bash. */
export function writeBash(commands: readonly CommandWords[]): string {
  const firsts = firstWords(commands);
  const groups = firsts.filter(({ members }) => members.some(({ words }) => words.length > 1));
  return `_bluejay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local words="" command="" arguments=0 index word
  # bash makes words of their own from "=" and what follows it.
  if [ "$current" = "=" ]; then current=""
  elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
      ${flagsWithValue(commands).join('|')})
        [ "\${COMP_WORDS[index+1]}" = "=" ] && index=$((index + 1))
        index=$((index + 1)) ;;
      -*|=) ;;
      *) case "$command" in
        "") [ "$word" = help ] || command="$word" ;;
        ${groups.map(({ word }) => word).join('|')}) command="$command $word" ;;
        *) arguments=$((arguments + 1)) ;;
      esac ;;
    esac
  done
  COMPREPLY=()
  case "$command $previous" in
${commands.flatMap(flagCases).join('\n')}
    *) case "$command,$current" in
${commands.map(({ words, flags }) => `      "${words.join(' ')},-"*) words="${flags.map(({ name }) => `--${name}`).join(' ')}" ;;`).join('\n')}
      ,-*) words="--help --version --json --url --profile" ;;
      ,*) words="${firsts.map(({ word }) => word).join(' ')} help" ;;
${groups.map(({ word, members }) => `      ${word},*) words="${members.map(({ words }) => words[1]).join(' ')}" ;;`).join('\n')}
      *) case "$command,$arguments" in
${commands.flatMap(argumentCase).join('\n')}
      esac ;;
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _bluejay bluejay`;
}

function flagCases({ words, flags }: CommandWords): string[] {
  return flags.flatMap(({ name, values }) =>
    values ? [`    "${words.join(' ')} --${name}") ${complete(values)} ;;`] : [],
  );
}

function argumentCase({ words, argument }: CommandWords): string[] {
  return argument ? [`        "${words.join(' ')},0") ${complete(argument)} ;;`] : [];
}

function complete(values: Values): string {
  if (values.kind === 'choices') return `words="${values.choices.join(' ')}"`;
  return values.kind === 'file' ? 'compopt -o default; return' : 'return';
}
