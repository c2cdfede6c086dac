import { describeWords } from '../completion/describe-words.ts';
import { writeBash } from '../completion/write-bash.ts';
import { writeFish } from '../completion/write-fish.ts';
import { writeZsh } from '../completion/write-zsh.ts';
import type { Command } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { suggest } from '../program/suggest.ts';

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish };
const shells = Object.keys(writers);

/** Creates `completion`, which prints the completion script of a shell for these commands. */
export function createCompletionCommand(commands: readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print the completion script of a shell: bash, zsh or fish.',
    args: ['SHELL'],
    argChoices: shells,
    examples: [
      "echo 'source <(bluejay completion bash)' >> ~/.bashrc",
      "echo 'source <(bluejay completion zsh)' >> ~/.zshrc",
      'bluejay completion fish > ~/.config/fish/completions/bluejay.fish',
    ],
    async run({ args, out }) {
      const [shell = ''] = args;
      const write = Object.entries(writers).find(([name]) => name === shell)?.[1];
      if (!write) {
        const next = suggest(shell, shells) ?? 'Use bash, zsh or fish.';
        throw new UsageError(`There is no completion for "${shell}".`, next);
      }
      const script = write(describeWords(commands));
      out.result({ shell, script }, () => [script]);
    },
  };
}
