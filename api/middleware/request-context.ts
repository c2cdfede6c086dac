import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Log } from '#common/platform/process/log.ts';
import { beginRequest, stateOf } from '../request-state.ts';
import type { HttpMetrics } from './http-metrics.ts';

const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Assigns the request ID, sets the headers of every response, and logs one line per request. Mounted first. */
export function createRequestContext({ log, metrics }: { log: Log; metrics: HttpMetrics }): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const requestId = given !== undefined && requestIdPattern.test(given) ? given : randomUUID();
    // Lazy: few requests log anything besides the access line.
    beginRequest(request, {
      requestId,
      get log() {
        return log.child({ requestId });
      },
    });
    // Node's setHeader: Express's `set` is slower because it treats some header names specially.
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    const startedAt = performance.now();

    response.once('close', () => {
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      // The pattern instead of the path: IDs would multiply the metric series, and a path may contain secrets.
      const route = typeof request.route?.path === 'string' ? request.route.path : 'none';
      const { method } = request;
      const status = response.writableFinished ? response.statusCode : 499;
      const { credential, mailJobId } = stateOf(request);
      log.info({ requestId, method, route, status, durationMs, credentialId: credential?.id, mailJobId }, 'request');
      metrics.observe({ method, route, status, durationMs });
    });
    next();
  };
}
