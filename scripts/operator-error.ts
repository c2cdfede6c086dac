/**
 * A failure that the person at the terminal can mend: shown as its message alone, without a stack trace, exit code 1.
 * The message says what is wrong and what to do next.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
