import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { countBacklog } from './backlog.ts';
import { Endpoint } from './endpoint.model.ts';

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

/** Looking at the database for a gauge serves all readers of this long. */
const gaugeAgeMs = 5_000;

/** What deliveries do, for whoever runs the installation: counted over all customers, never by one. */
export function createDeliveryMetrics(registry: Registry, clock: Clock) {
  const registers = [registry];
  const backlog = cached(() => countBacklog(clock.now()));

  new Gauge({
    name: 'delivery_due_backlog',
    help: 'Deliveries that are due and not under way.',
    registers,
    async collect() {
      this.set((await backlog()).count);
    },
  });
  new Gauge({
    name: 'delivery_oldest_due_seconds',
    help: 'How long the oldest of them has been due.',
    registers,
    async collect() {
      this.set((await backlog()).oldestS);
    },
  });
  new Gauge({
    name: 'endpoint_breaker_open',
    help: 'Endpoints that are paused after failures.',
    registers,
    async collect() {
      this.set(await Endpoint.countDocuments({ 'health.pausedUntil': { $gt: clock.now() } }));
    },
  });

  return {
    deliveries: new Counter({
      name: 'deliveries_total',
      help: 'Attempts and ends of deliveries: delivered, retry, failed, discarded.',
      labelNames: ['result', 'error_class'],
      registers,
    }),
    lag: new Histogram({
      name: 'delivery_lag_seconds',
      help: 'From an event to the first 2xx of a receiver.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 36_000],
      registers,
    }),
    endpointsDisabled: new Counter({
      name: 'endpoints_disabled_total',
      help: 'Webhooks that were disabled because of their receivers.',
      registers,
    }),
    inFlight: new Gauge({ name: 'inflight_webhooks', help: 'Posts under way in this process.', registers }),
  };
}

/** One answer for all that ask within `gaugeAgeMs`. */
function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (!asked || performance.now() - askedAt > gaugeAgeMs) {
      askedAt = performance.now();
      asked = read();
    }
    return asked;
  };
}
