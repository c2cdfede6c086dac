/**
 * A failure that the operator can fix. Only its message is printed, without a stack trace, and the exit code is 1. The
 * message names the problem and the fix.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
