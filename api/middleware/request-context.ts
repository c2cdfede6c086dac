import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Log } from '../../common/platform/log.ts';
import type { HttpMetrics } from '../http-metrics.ts';
import { beginRequest, stateOf } from '../request-state.ts';

const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The first of all: names the request, sets what every answer carries, and writes one line when it is over. */
export function createRequestContext({ log, metrics }: { log: Log; metrics: HttpMetrics }): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const requestId = given !== undefined && requestIdPattern.test(given) ? given : randomUUID();
    // A log of its own is made for the few requests that need one.
    beginRequest(request, {
      requestId,
      get log() {
        return log.child({ requestId });
      },
    });
    // Node's own method: Express's looks each name up for what it might mean.
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    const startedAt = performance.now();

    response.once('close', () => {
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      // The pattern, not the path: ids are of no use in a metric, and a path may hold what nobody should log.
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
