import { Histogram, type Registry } from 'prom-client';

export type HttpMetrics = {
  observe(request: { method: string; route: string; status: number; durationMs: number }): void;
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
  return {
    observe({ method, route, status, durationMs }) {
      duration.observe({ method, route, status_class: `${Math.floor(status / 100)}xx` }, durationMs / 1_000);
    },
  };
}
