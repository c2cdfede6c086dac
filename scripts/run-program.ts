import { ConfigError } from '../common/config.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Runs a command-line program to its end and leaves with its exit code. What the person at the terminal can mend is
 * shown as one message and exit code 1; only a fault of our own shows a stack trace.
 */
export async function runProgram(main: () => Promise<number>): Promise<never> {
  try {
    process.exit(await main());
  } catch (error) {
    const isExpected = error instanceof OperatorError || error instanceof ConfigError;
    const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}
