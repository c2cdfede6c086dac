import { CommanderError } from 'commander';
import { loadNamedCommands } from './commands.ts';
import { type CommandCall, parseCommandLine } from './parse-command-line.ts';
import type { AdminOptions } from './run-command.ts';

/**
 * Runs one admin command and returns the exit code. The result is the last line on standard output. Each problem is one
 * line on standard error, and the exit code is then 1: so it is for a result that needs the operator.
 */
export async function runAdmin(words: readonly string[], options: AdminOptions): Promise<number> {
  let call: CommandCall;
  try {
    call = parseCommandLine(words, await loadNamedCommands(words), options.output);
  } catch (error) {
    // Commander has already printed the problem.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
  // Not a static import: help needs none of the stores' libraries.
  const { runCommand } = await import('./run-command.ts');
  return await runCommand(call, options);
}
