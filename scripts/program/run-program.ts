import { ConfigError } from '#common/config/config-error.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Runs a command-line program and exits with its exit code. An OperatorError or ConfigError is printed as its message
 * alone, any other error with its stack trace. Both exit with code 1.
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
