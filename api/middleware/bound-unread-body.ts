import type { RequestHandler } from 'express';

export type UnreadLimits = { bytes: number; ms: number };

/** Enough for a browser that sends a few documents, or is told to stop soon after. */
const defaultLimits: UnreadLimits = { bytes: 16 * 1024 * 1024, ms: 10_000 };
const lookEveryMs = 100;

/**
 * Closes the connection of a request that was answered before its body arrived, once the client has sent `bytes` more or
 * `ms` have passed. Node reads the rest of such a body and drops it, for as long as a request may take. Closing at once
 * would reset the connection, and a browser that is still sending would show an error in place of the answer.
 */
export function boundUnreadBody({ bytes, ms }: UnreadLimits = defaultLimits): RequestHandler {
  return (request, response, next) => {
    response.once('finish', () => {
      const { socket } = request;
      if (request.complete || socket.destroyed) return;
      const [readBefore, endsAt] = [socket.bytesRead, performance.now() + ms];
      const timer = setInterval(() => {
        if (request.complete || socket.destroyed) clearInterval(timer);
        else if (socket.bytesRead - readBefore > bytes || performance.now() > endsAt) socket.destroy();
      }, lookEveryMs).unref();
    });
    next();
  };
}
