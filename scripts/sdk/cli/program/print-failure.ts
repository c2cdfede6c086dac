import { BluejayError } from '../sdk.ts';
import { Refusal } from './failure.ts';
import { paint, plain, writeError } from './output.ts';

/** What to do about the errors of the API, by code. */
const nextByCode: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Run bluejay login with a valid key, or set BLUEJAY_API_KEY.',
  FORBIDDEN: 'Use a key with the scope or mode that is named above. bluejay whoami shows the key in use.',
  INSUFFICIENT_FUNDS: 'Add money to the wallet, then repeat the command. bluejay wallet shows the balance.',
  NOT_FOUND: 'Check the id. A test key finds nothing of live mode, and the reverse. bluejay mails list shows letters.',
  CONFLICT: 'Look at its state, for instance with bluejay mails get ID.',
  NOT_CANCELLABLE: 'bluejay mails get ID shows its state, and until when a letter can be cancelled.',
  PRICE_CHANGED: 'Repeat the command to see the new price.',
  LIMIT_REACHED: 'Remove what is no longer needed.',
  PRICING_UNAVAILABLE: 'Choose another --service, or ask the operator of the service for a tariff.',
  CONNECTION_ERROR: 'Is the URL right (--url, BLUEJAY_URL or that of bluejay login), and does the service run?',
  HTTP_404: 'Is this the URL of the API? Set it with --url, BLUEJAY_URL or bluejay login.',
  TIMEOUT: 'Try again in a moment.',
  RATE_LIMITED: 'Wait a moment, then repeat the command.',
  SERVICE_UNAVAILABLE: 'Wait a moment, then repeat the command.',
  INTERNAL_ERROR: 'Repeat the command. If it fails again, give the operator the number of the request.',
};

type Failure = {
  code: string;
  message: string;
  issues: BluejayError['issues'];
  next: string | null;
  docsUrl: string | null;
  requestId: string | null;
};

/** Prints an error to standard error: with `--json` as one line of JSON. */
export function printFailure(error: unknown, { isJson }: { isJson: boolean }): void {
  const failure = describe(error);
  if (isJson) {
    writeError(JSON.stringify({ error: failure }));
    return;
  }
  const { message, issues, next, docsUrl, requestId } = failure;
  writeError(`${paint('red', 'Error:', process.stderr)} ${plain(message)}`);
  for (const { path, message: text } of issues)
    writeError(`  ${plain([...path].join('.') || 'request')}: ${plain(text)}`);
  if (next !== null) writeError(plain(next));
  if (docsUrl !== null) writeError(`More: ${plain(docsUrl)}`);
  if (requestId !== null) writeError(paint('dim', `Request ${plain(requestId)}`, process.stderr));
}

function describe(error: unknown): Failure {
  const empty = { issues: [], next: null, docsUrl: null, requestId: null };
  if (error instanceof BluejayError) {
    const { code, message, issues, requestId, docsUrl } = error;
    return { code, message, issues, next: nextOf(error), docsUrl, requestId };
  }
  const { code = 'INTERNAL', message, stack } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal) return { code, message, ...empty, next: error.next };
  const fault = describeSystemError(error as NodeJS.ErrnoException);
  if (fault !== null) return { code, message: fault, ...empty };
  // The SDK throws these for files that it cannot send.
  const isInput = error instanceof TypeError || error instanceof RangeError;
  if (isInput) return { code: code === 'INVALID_FILE' ? code : 'INVALID_INPUT', message, ...empty };
  return { code: 'INTERNAL', message: error instanceof Error ? (stack ?? message) : String(error), ...empty };
}

function nextOf({ code, status, issues, retryAfterMs }: BluejayError): string | null {
  if (retryAfterMs !== null) return `Wait ${Math.ceil(retryAfterMs / 1_000)} s, then repeat the command.`;
  if (code === 'VALIDATION_ERROR' && status === null) {
    return 'Fix the file, then repeat the command. bluejay preflight FILE --picture page-1.png shows where.';
  }
  if (code === 'VALIDATION_ERROR' && issues.length > 0) return 'Correct the values above, then repeat the command.';
  return nextByCode[code] ?? null;
}

/** Returns the message of a failed call of the operating system, or null for another error. */
function describeSystemError({ code, path, syscall, message }: NodeJS.ErrnoException): string | null {
  if (code === undefined || syscall === undefined) return null;
  if (path === undefined) return code === 'EISDIR' ? 'This is a folder, not a file.' : message;
  if (code === 'ENOENT') return `There is no file ${path}, or no folder for it.`;
  if (code === 'EISDIR') return `${path} is a folder, not a file.`;
  if (code === 'ENOTDIR') return `A part of ${path} is a file, not a folder.`;
  if (code === 'EACCES' || code === 'EPERM') return `The file ${path} may not be read or written.`;
  return `The file ${path} cannot be read or written: ${code}.`;
}
