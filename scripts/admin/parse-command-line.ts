import { Command, Help } from 'commander';
import type { AnyAdminCommand } from './command.ts';

/** Standard output and standard error. */
export type Output = { write(text: string): void; writeError(text: string): void };

/** What the list of all commands says about a command that is not loaded. One without a group has a summary. */
export type ListedCommand = { name: string; summary?: string };

/** A parsed command line. The input is not validated yet. */
export type CommandCall = { command: AnyAdminCommand; input: Record<string, unknown>; asJson: boolean };

/**
 * Finds the command that the words name, which must be loaded. For help, unknown commands and unknown options it prints
 * commander's text to `output` and throws a CommanderError.
 */
export function parseCommandLine(
  words: readonly string[],
  commands: readonly (AnyAdminCommand | ListedCommand)[],
  output: Output,
): CommandCall {
  let call: Omit<CommandCall, 'asJson'> | undefined;
  const program: Command = new Command('npm run admin --')
    .description('Administers this installation: the stores of the environment, or of the npm start on DATA_DIR.')
    .option('--json', 'print the result as one line of JSON')
    .configureHelp({
      showGlobalOptions: true,
      // Options and arguments of a command are known once it is loaded, as those of a group are.
      subcommandTerm: (leaf) => (leaf.parent === program ? leaf.name() : Help.prototype.subcommandTerm(leaf)),
    })
    .configureOutput({ writeOut: (text) => output.write(text), writeErr: (text) => output.writeError(text) })
    .exitOverride();

  for (const command of commands) {
    const leaf = declare(program, command);
    if (!('run' in command)) continue;
    leaf.action(() => {
      const named = leaf.registeredArguments.map((each, index) => [each.name(), leaf.processedArgs[index]]);
      call = { command, input: { ...leaf.opts(), ...Object.fromEntries(named) } };
    });
  }
  program.parse([...words], { from: 'user' });
  if (!call) throw new Error('The command line was parsed to no command');

  return { ...call, asJson: program.opts<{ json?: boolean }>().json === true };
}

/** Adds one command to the group of its noun. */
function declare(program: Command, command: AnyAdminCommand | ListedCommand): Command {
  const [noun = '', verb] = command.name.split(' ');
  const parent = verb === undefined ? program : findGroup(program, noun, verb);
  const leaf = parent.command(verb ?? noun).description(command.summary ?? '');
  const fields = 'fields' in command ? command.fields : {};
  for (const [name, { flags, help, schema }] of Object.entries(fields)) {
    // Commander would report missing options one by one. The schema reports them all at once.
    const isOptional = schema.safeParse(undefined).success;
    if (flags === undefined) leaf.argument(isOptional ? `[${name}]` : `<${name}>`, help);
    else leaf.option(flags, isOptional ? `${help} (optional)` : help);
  }
  return leaf;
}

function findGroup(program: Command, noun: string, verb: string): Command {
  const known = program.commands.find((group) => group.name() === noun);
  const verbs = known ? `${known.description()}, ${verb}` : verb;
  return (known ?? program.command(noun)).description(verbs);
}
