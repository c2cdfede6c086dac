import { BluejayError } from '../sdk.ts';
import { Refusal, UsageError } from './failure.ts';
import { paint, plain, writeError } from './output.ts';

/** What to do about the errors of the API that a command cannot solve, by code. */
const nextByCode: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Run bluejay login with a valid key, or set BLUEJAY_API_KEY.',
  FORBIDDEN: 'Use a key with the scope that is named above.',
  INSUFFICIENT_FUNDS: 'Add money to the wallet, then send again. See bluejay wallet.',
  CONNECTION_ERROR: 'Is the URL right, and does the service run? bluejay whoami shows the URL.',
  TIMEOUT: 'Try again in a moment.',
  RATE_LIMITED: 'Wait a moment, then try again.',
};

/** Prints an error to standard error and returns the exit code: 2 for a wrong command line, otherwise 1. */
export function printFailure(error: unknown, { isJson }: { isJson: boolean }): 1 | 2 {
  const failure = describe(error);
  if (isJson) {
    writeError(JSON.stringify({ error: failure }));
  } else {
    const { message, issues, next, docsUrl, requestId } = failure;
    writeError(`${paint('red', 'Error:', process.stderr)} ${plain(message)}`);
    for (const { path, message: text } of issues)
      writeError(`  ${plain([...path].join('.') || 'request')}: ${plain(text)}`);
    if (next !== null) writeError(next);
    if (docsUrl !== null) writeError(`More: ${plain(docsUrl)}`);
    if (requestId !== null) writeError(paint('dim', `Request ${plain(requestId)}`, process.stderr));
  }
  return error instanceof UsageError ? 2 : 1;
}

function describe(error: unknown) {
  const empty = { issues: [], docsUrl: null, requestId: null };
  if (error instanceof BluejayError) {
    const { code, message, issues, requestId, docsUrl } = error;
    return { code, message, issues, next: nextByCode[code] ?? null, docsUrl, requestId };
  }
  if (error instanceof Refusal) return { ...empty, code: error.code, message: error.message, next: error.next };
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return { ...empty, code, message: `There is no file ${path}.`, next: null };
  if (code === 'EISDIR') return { ...empty, code, message: 'This is a folder, not a file.', next: null };
  if (code === 'EACCES') return { ...empty, code, message: `The file ${path} may not be read or written.`, next: null };
  // The SDK throws these for files that it cannot send.
  const isInput = error instanceof TypeError || error instanceof RangeError;
  const text = isInput ? message : error instanceof Error ? (error.stack ?? message) : String(error);
  return { ...empty, code: isInput ? 'INVALID_INPUT' : 'INTERNAL', message: text, next: null };
}
