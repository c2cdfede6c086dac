import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '#common/clock.ts';
import { createCachedReads } from '#common/platform/concurrency/cached-reads.ts';
import { notOfPaused, type Pauses, type QueuePause } from '#common/platform/due-work/pauses.ts';
import { registerGauge, type ScanState, whileScanning } from '#common/platform/process/metrics.ts';
import { deliveryWork, Endpoint } from '../endpoints/endpoint.model.ts';
import { Delivery } from './delivery.model.ts';

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

/** Database reads for gauges are cached this long. */
const gaugeAgeMs = 5_000;

/** Creates the delivery metrics of a process. They have no customer label, which would be unbounded. */
export function createDeliveryMetrics(registry: Registry) {
  const registers = [registry];
  return {
    deliveries: new Counter({
      name: 'deliveries_total',
      help: 'Attempts and final results of deliveries: delivered, retry, failed, discarded.',
      labelNames: ['result', 'error_class'],
      registers,
    }),
    lag: new Histogram({
      name: 'delivery_lag_seconds',
      help: 'Time from an event to the first 2xx of the receiver.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 36_000],
      registers,
    }),
    firstAttempt: new Histogram({
      name: 'delivery_first_attempt_seconds',
      help: 'Time from an event, or from when its endpoint could take it if that was later, to the first attempt.',
      // The objective is 10 s: see scripts/deploy/monitoring/slo.md.
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
      registers,
    }),
    endpointsDisabled: new Counter({
      name: 'endpoints_disabled_total',
      help: 'Webhooks disabled after a 410 or five days of failures.',
      registers,
    }),
    endpointsForgotten: new Counter({
      name: 'endpoints_forgotten_total',
      help: 'Endpoints with pending deliveries and no due time, which the hourly check made due again.',
      registers,
    }),
    inFlight: new Gauge({ name: 'inflight_webhooks', help: 'Posts in flight in this process.', registers }),
  };
}

/** Registers the gauges of all deliveries, in the process that scans. */
export function registerDeliveryGauges(
  registry: Registry,
  { clock, scanState, pauses }: { clock: Clock; scanState: ScanState; pauses: Pauses },
): void {
  const counts = createCachedReads<DueBacklog>({ maxAgeMs: gaugeAgeMs });
  const count = async () => await countBacklog(clock.now(), (await pauses.read()).of(deliveryWork.queue));
  const backlog = () => counts.get('', count);
  const whileHolding = (read: () => Promise<number>) => whileScanning<number | null>(scanState, read, null);
  const due = { name: 'delivery_due_backlog', help: 'Due deliveries that are not in flight.' };
  registerGauge(
    registry,
    due,
    whileHolding(async () => (await backlog()).count),
  );
  const oldest = { name: 'delivery_oldest_due_seconds', help: 'How long the oldest of these deliveries has been due.' };
  registerGauge(
    registry,
    oldest,
    whileHolding(async () => (await backlog()).oldestS),
  );
  const open = { name: 'endpoint_breaker_open', help: 'Endpoints paused by the circuit breaker.' };
  registerGauge(
    registry,
    open,
    whileHolding(() => Endpoint.countDocuments({ 'health.pausedUntil': { $gt: clock.now() } })),
  );
}

type DueBacklog = {
  /** Deliveries that are due and not in flight. Those of paused endpoints are not due, nor those that an operator holds. */
  count: number;
  /** How long the oldest of them has been due, in seconds; 0 when there is none. */
  oldestS: number;
};

/** Bounds the query: beyond this many due endpoints an exact figure adds nothing. */
const maxEndpoints = 1_000;

/** Counts the due deliveries from one index, without reading them. */
async function countBacklog(now: Date, paused: QueuePause): Promise<DueBacklog> {
  if (paused.isPaused) return { count: 0, oldestS: 0 };
  const endpoints = await Endpoint.find({ 'due.at': { $lte: now }, ...notOfPaused(paused) })
    .sort({ 'due.at': 1 })
    .limit(maxEndpoints)
    .select({ _id: 1 })
    .lean<{ _id: string }[]>();
  const [found] = await Delivery.aggregate<{ count: number; oldest: Date }>([
    {
      $match: {
        endpointId: { $in: endpoints.map(({ _id }) => _id) },
        state: 'due',
        isLowPriority: { $in: [false, true] },
        nextAttemptAt: { $lte: now },
      },
    },
    { $group: { _id: null, count: { $sum: 1 }, oldest: { $min: '$nextAttemptAt' } } },
  ]);
  return found
    ? { count: found.count, oldestS: (now.getTime() - found.oldest.getTime()) / 1_000 }
    : { count: 0, oldestS: 0 };
}
