import { CannotRunHereError } from './proof.ts';
import { CommandError } from './run-command.ts';

/**
 * Ends what `held` has, then throws `error`. What fails meanwhile is reported, and does not replace `error`, which is the
 * reason.
 */
export async function giveUp(
  held: AsyncDisposableStack,
  error: unknown,
  report: (line: string) => void,
): Promise<never> {
  await held.disposeAsync().catch((later: unknown) => report(`Not everything could be removed: ${later}`));
  throw error;
}

/** Faults of our own code. A download that fails is none, although `fetch` throws a TypeError for it. */
const ownFaults = [TypeError, ReferenceError, RangeError, SyntaxError];
const isOwnFault = (error: unknown) =>
  ownFaults.some((kind) => error instanceof kind) && !(error instanceof Error && error.message === 'fetch failed');

/**
 * Does what a proof needs before it installs anything. A failure is one of this machine, not of the product: throws
 * CannotRunHereError with `what` and the reason. Throws a fault of our own code as it is, or `--or-skip` would hide it.
 */
export async function provideHere<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CannotRunHereError || isOwnFault(error)) throw error;
    throw new CannotRunHereError(`${what} cannot be had: ${reasonOf(error)}`, { cause: error });
  }
}

/** One line: of a command what it was, how it ended, and its last line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  const [first = error.name] = lines;
  return error instanceof CommandError && lines.length > 1 ? `${first}: ${lines.at(-1)}` : first;
}
