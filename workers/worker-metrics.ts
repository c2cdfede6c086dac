import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Hints, QueueName } from '../common/platform/queues.ts';

export type WorkerMetrics = {
  /** A worker has taken a hint of this queue. */
  picked(queue: QueueName): void;
  /** A message of this queue was given up by the worker that had it. */
  stalled(queue: QueueName): void;
  /** One look of the scanner has taken this long. */
  scanned(seconds: number): void;
};

/** Whether this process finds and takes work. */
export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const startedMs = performance.now();
  const pickedMs = new Map<QueueName, number>();
  new Gauge({
    name: 'worker_last_pick_age_seconds',
    help: 'Since this process last took a hint of any queue, or started.',
    registers,
    collect() {
      this.set((performance.now() - Math.max(startedMs, ...pickedMs.values())) / 1_000);
    },
  });
  const stalled = new Counter({
    name: 'worker_stalled_total',
    help: 'Messages whose worker stopped renewing its lock.',
    labelNames: ['queue'],
    registers,
  });
  const ticks = new Histogram({
    name: 'scanner_tick_seconds',
    help: 'Duration of one look for due work, in the process that scans.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  return {
    picked: (queue) => void pickedMs.set(queue, performance.now()),
    stalled: (queue) => stalled.inc({ queue }),
    scanned: (seconds) => ticks.observe(seconds),
  };
}

const jobStates = ['waiting', 'active', 'delayed', 'completed', 'failed'] as const;
/** Whoever reads the metrics does not wait longer for a Redis that is away. */
const countTimeoutMs = 1_000;

/** What is in the queues, as Redis has it: the same figures from every process. Without Redis there are none. */
export function registerQueueMetrics(registry: Registry, { queues }: Hints): void {
  new Gauge({
    name: 'bullmq_jobs',
    help: 'Messages of a queue by their state; of the completed and failed the last 1,000 are kept.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      const { promise: tooLate, resolve } = Promise.withResolvers<null>();
      const timer = setTimeout(() => resolve(null), countTimeoutMs);
      const counting = Promise.all(
        queues.map(async (queue) => [queue.name, await queue.getJobCounts(...jobStates)] as const),
      );
      const counted = await Promise.race([counting.catch(() => null), tooLate]);
      clearTimeout(timer);
      for (const [queue, counts] of counted ?? []) {
        for (const state of jobStates) this.set({ queue, state }, counts[state] ?? 0);
      }
    },
  });
}
