import type { ServerResponse } from 'node:http';

/** Error codes of a write to a closed connection: from streams, from Express's `sendFile`, from the operating system. */
const closedConnectionCodes = [
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNABORTED',
  'EPIPE',
  'ECONNRESET',
];

/**
 * Returns whether an error only means that the client closed the connection before the response was complete. That is
 * not a failure: the access log shows it as status 499. Errors of other connections leave the client's socket open.
 */
export function isClientDisconnect(error: unknown, response: ServerResponse): boolean {
  // The socket is destroyed before the response emits `close`.
  const isClosed = (response.socket?.destroyed ?? true) && !response.writableFinished;
  return isClosed && closedConnectionCodes.includes(String((error as NodeJS.ErrnoException | undefined)?.code));
}
