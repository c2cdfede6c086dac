import { randomInt } from 'node:crypto';
import { readStatusMessage } from './answer-attributes.ts';
import { decodeAnswer, type IppAnswer, MalformedAnswerError } from './decode-answer.ts';
import { encodeRequest, type Operation, type RequestAttribute } from './encode-request.ts';
import { ExchangeError, type ExchangeLimits, exchange } from './exchange.ts';
import { isSuccess, nameOfStatus, verdictOf } from './ipp-status.ts';
import { PrinterBusyError, PrinterRefusedError } from './printer-errors.ts';
import type { PrinterTarget } from './printer-target.ts';

/** A printer, the user that asks it, and the limits of each exchange. */
export type PrinterAccess = ExchangeLimits & {
  target: PrinterTarget;
  /** The requesting user. cupsd shows the names of jobs to their owner only. */
  user: string;
};

/** An operation that can be repeated without harm. */
type Question = {
  operation: Exclude<Operation, 'Print-Job'>;
  jobId?: number;
  attributes?: readonly RequestAttribute[];
};

/** Returns an id for a request. It is not a secret: it shows that an answer belongs to its request. */
export function newRequestId(): number {
  return randomInt(1, 2 ** 31);
}

/**
 * Sends an operation that can be repeated without harm, and returns what `read` makes of the answer. Statuses that are
 * errors go to `read` as well. Throws `PrinterRefusedError` for an HTTP status below 500, else `PrinterBusyError`: also
 * for a malformed answer, in which nothing is known.
 */
export async function askPrinter<Result>(
  access: PrinterAccess,
  { operation, jobId, attributes = [] }: Question,
  read: (answer: IppAnswer) => Result,
): Promise<Result> {
  const { target, user } = access;
  const requestId = newRequestId();
  const head = encodeRequest({
    ...{ operation, requestId, printerUri: target.printerUri, user, operationAttributes: attributes },
    ...(jobId !== undefined && { jobId }),
  });
  try {
    const { bytes } = await exchange(target, { head }, access);
    return read(decodeAnswer(bytes, requestId));
  } catch (error) {
    if (error instanceof MalformedAnswerError) {
      throw new PrinterBusyError(`${operation}: malformed answer: ${error.message}`);
    }
    if (!(error instanceof ExchangeError)) throw error;
    throw unsentError(operation, error);
  }
}

/** Throws unless the operation was done: `PrinterRefusedError` when it will be refused again, else `PrinterBusyError`. */
export function requireSuccess(operation: Operation, answer: IppAnswer): void {
  if (isSuccess(answer.status)) return;
  const text = describeStatus(operation, answer);
  throw verdictOf(answer.status) === 'refused' ? new PrinterRefusedError(text) : new PrinterBusyError(text);
}

/** Returns an error status and the printer's message about it, for an operator to read. */
export function describeStatus(operation: Operation, answer: IppAnswer): string {
  const message = readStatusMessage(answer);
  return `${operation}: ${nameOfStatus(answer.status)}${message && `: ${message}`}`;
}

/** Returns the error for a failed exchange of which the server has no request to act on. */
export function unsentError(operation: Operation, { message, httpStatus }: ExchangeError): Error {
  const text = `${operation}: ${message}`;
  const mayPass = httpStatus === undefined || httpStatus >= 500 || httpStatus === 408 || httpStatus === 429;
  return mayPass ? new PrinterBusyError(text) : new PrinterRefusedError(text);
}
