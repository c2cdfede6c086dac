import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { Histogram, type Registry } from 'prom-client';
import type { Log } from '#common/platform/process/log.ts';
import { runIn, startSpan } from '#common/platform/spans/tracing.ts';
import { beginRequest, stateOf } from '../requests/request-state.ts';

const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** `isChosen`: a test credential chose this failure, so it counts as status class `sandbox`. */
type ObservedRequest = { method: string; route: string; status: number; durationMs: number; isChosen?: boolean };

export type HttpMetrics = {
  observe(request: ObservedRequest): void;
};

/** Creates the histogram of request durations, by route pattern and status class. Customers are never a label. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['method', 'route', 'status_class'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // From the start, so that an increase from nothing to the first failures is seen.
  for (const status_class of ['2xx', '5xx']) duration.zero({ method: 'POST', route: '/v1/mails', status_class });
  return {
    observe({ method, route, status, durationMs, isChosen = false }) {
      const statusClass = isChosen ? 'sandbox' : `${Math.floor(status / 100)}xx`;
      duration.observe({ method, route, status_class: statusClass }, durationMs / 1_000);
    },
  };
}

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
    const { method } = request;
    // A trace of its own, with a link to the caller's: a customer decides neither what is kept nor under which id.
    const span = startSpan(method, {
      kind: 'server',
      parent: 'none',
      links: [request.get('traceparent')],
      attributes: { 'http.request.method': method, 'bluejay.request_id': requestId },
    });

    response.once('close', () => {
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      // The pattern instead of the path: IDs would multiply the metric series, and a path may contain secrets.
      const route = typeof request.route?.path === 'string' ? request.route.path : 'none';
      const status = response.writableFinished ? response.statusCode : 499;
      const { credential, mailJobId, sandboxOutcome } = stateOf(request);
      const about = { credentialId: credential?.id, mailJobId, sandboxOutcome };
      runIn(span, () => log.info({ requestId, method, route, status, durationMs, ...about }, 'request'));
      metrics.observe({ method, route, status, durationMs, isChosen: sandboxOutcome !== undefined });
      span.end({
        name: `${method} ${route}`,
        attributes: {
          'http.route': route,
          'http.response.status_code': status,
          ...(mailJobId !== undefined && { 'bluejay.mail_job_id': mailJobId }),
        },
        ...(status >= 500 && sandboxOutcome === undefined && { error: String(status) }),
      });
    });
    runIn(span, next);
  };
}
