/**
 * The printer has accepted nothing, and may accept the same request later: it is not reachable, does not answer, is
 * busy, or takes no jobs. Operations that only read also throw it for answers that they cannot use.
 */
export class PrinterBusyError extends Error {
  override readonly name = 'PrinterBusyError';
}

/** The printer has accepted nothing, and will refuse the same request again until someone changes something. */
export class PrinterRefusedError extends Error {
  override readonly name = 'PrinterRefusedError';
}

/**
 * The document, or a part of it, was sent, and no answer says whether the printer accepted it. The printer may have
 * a job, or get one from bytes that are still under way. Sending the document again may print it twice.
 */
export class PrintInDoubtError extends Error {
  override readonly name = 'PrintInDoubtError';
}

/**
 * HTTP statuses by which a server refuses a request for good, whether or not it has read the body. Not among them are
 * 408, 429 and all of 5xx, which a proxy may send while the printer has the request, and redirects, because 303 reports
 * a request that was done (RFC 9110, 15.4.4).
 */
const refusals: readonly number[] = [400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 417, 421, 426, 431];

/** Whether an HTTP status proves that the request was not done, even if its body was sent. */
export function isHttpRefusal(status: number): boolean {
  return refusals.includes(status);
}
