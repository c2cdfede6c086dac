import { commands, groups } from './commands.ts';
import { exitCodeOf, signalCodes } from './program/exit-code.ts';
import { Interrupted } from './program/failure.ts';
import { createOutput, endWithClosedPipe } from './program/output.ts';
import { parseWords } from './program/parse-words.ts';
import { printFailure } from './program/print-failure.ts';

/** Runs a command line. Returns its exit code. */
export async function runCli(words: readonly string[]): Promise<number> {
  endWithClosedPipe();
  const isJson = words.includes('--json');
  const { signal } = listenForSignals();
  try {
    const call = parseWords(commands, groups, words);
    await call?.command.run({ ...call.input, out: createOutput(isJson), env: process.env, signal });
    return 0;
  } catch (error) {
    // Whatever an interrupted command throws follows from the interruption.
    const reason = signal.aborted ? signal.reason : error;
    if (!(reason instanceof Interrupted)) printFailure(reason, { isJson });
    return exitCodeOf(reason);
  }
}

/** Returns a signal that Ctrl-C and requests to end abort. */
function listenForSignals(): AbortController {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // The second one ends a command that does not react to the first.
      if (stopping.signal.aborted) process.exit(signalCodes[name]);
      stopping.abort(new Interrupted(name));
    });
  }
  return stopping;
}
