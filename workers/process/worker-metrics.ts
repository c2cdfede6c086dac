import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { PausableWork } from '#common/platform/due-work/pause.model.ts';
import { registerGauge, registerLabelledGauge, type ScanState } from '#common/platform/process/metrics.ts';
import { type Hints, type QueueName, queueNames } from '#common/platform/redis/queues.ts';

export type WorkerMetrics = {
  /** A worker picked up a hint of this queue. */
  picked(queue: QueueName): void;
  /** Work of this queue threw. It is retried. */
  failed(queue: QueueName): void;
  /** The worker of a message stopped renewing its lock. */
  stalled(queue: QueueName): void;
  /** A tick of the scanner took this long. */
  scanned(seconds: number): void;
  /** The object of an expired upload could not be deleted. */
  uploadNotRemoved(): void;
  /** Reads, at each scrape, how long the oldest unclaimed work has been due. */
  watchDue(read: ReadDueAges): void;
  /** Reads, at each scrape, the age of the last backup in seconds; null in a process that does not hold the scanner lease. */
  watchBackup(read: () => Promise<number | null>): void;
  /** Reads, at each scrape, for how long work has been paused. */
  watchPauses(read: ReadPauseAges): void;
};

/** Returns a value for each queue, in seconds; none in a process that does not hold the scanner lease. */
export type ReadDueAges = () => Promise<{ queue: QueueName; ageS: number }[]>;

/** Returns the age of the oldest pause of each kind of work, of all organizations and of single ones: 0 without one. */
export type ReadPauseAges = () => Promise<{ work: PausableWork; isOfAll: boolean; ageS: number }[]>;

/** Creates the metrics that show whether this process finds and picks up work. */
export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const startedMs = performance.now();
  const pickedMs = new Map<QueueName, number>();
  const age = {
    name: 'worker_last_pick_age_seconds',
    help: 'Seconds since this process last picked up a hint of any queue, or started.',
  };
  registerGauge(registry, age, () => (performance.now() - Math.max(startedMs, ...pickedMs.values())) / 1_000);
  const countByQueue = (name: string, help: string) => {
    const counter = new Counter({ name, help, labelNames: ['queue'], registers });
    // From the start, so that an alert sees a queue without any.
    for (const queue of queueNames) counter.inc({ queue }, 0);
    return counter;
  };
  const picks = countByQueue('work_picked_total', 'Hints that a worker of this process has picked up.');
  const failed = countByQueue('work_failures_total', 'Work that threw, and is retried.');
  const stalled = countByQueue('worker_stalled_total', 'Messages whose worker stopped renewing its lock.');
  const removalFailures = new Counter({
    name: 'upload_removal_failures_total',
    help: 'Expired uploads whose object could not be deleted. Each is retried later.',
    registers,
  });
  const ticks = new Histogram({
    name: 'scanner_tick_seconds',
    help: 'Duration of one scan for due work, in the process that holds the scanner lease.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const lastTick = new Gauge({
    name: 'scanner_last_tick_timestamp_seconds',
    help: 'When this process last completed a scan for due work; 0 before its first one.',
    registers,
  });
  let readDueAges: ReadDueAges = async () => [];
  const oldest = {
    name: 'work_oldest_due_seconds',
    help: 'How long the oldest unclaimed work has been due, by queue; 0 when none is. Without paused work. Only of the process that scans.',
    labelNames: ['queue'],
  };
  registerLabelledGauge(registry, oldest, async () =>
    (await readDueAges()).map(({ queue, ageS }) => ({ labels: { queue }, value: ageS })),
  );
  let readBackupAge = async (): Promise<number | null> => null;
  const backup = {
    name: 'backup_age_seconds',
    help: 'Age of the last recorded backup. Only of the process that scans, and absent before the first backup.',
  };
  registerGauge(registry, backup, () => readBackupAge());
  let readPauseAges: ReadPauseAges = async () => [];
  const paused = {
    name: 'work_paused_seconds',
    help: 'For how long work has been paused, of all organizations or of some; 0 when it is not. Only of the process that scans.',
    labelNames: ['work', 'of'],
  };
  registerLabelledGauge(registry, paused, async () =>
    (await readPauseAges()).map(({ work, isOfAll, ageS }) => ({
      labels: { work, of: isOfAll ? 'all' : 'some' },
      value: ageS,
    })),
  );
  return {
    picked(queue) {
      pickedMs.set(queue, performance.now());
      picks.inc({ queue });
    },
    failed: (queue) => failed.inc({ queue }),
    stalled: (queue) => stalled.inc({ queue }),
    scanned(seconds) {
      ticks.observe(seconds);
      lastTick.setToCurrentTime();
    },
    uploadNotRemoved: () => removalFailures.inc(),
    watchDue(read) {
      readDueAges = read;
    },
    watchBackup(read) {
      readBackupAge = read;
    },
    watchPauses(read) {
      readPauseAges = read;
    },
  };
}

const jobStates = ['waiting', 'active', 'delayed', 'completed', 'failed'] as const;
/** A metrics scrape must not wait for an unreachable Redis. */
const countTimeoutMs = 1_000;

/** Registers the message counts of the queues in Redis, in the process that scans. Absent without Redis. */
export function registerQueueMetrics(registry: Registry, { queues }: Hints, scanState: ScanState): void {
  new Gauge({
    name: 'bullmq_jobs',
    help: 'Messages of a queue by state. The last 1,000 completed and failed ones are kept.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      if (!scanState.isScanning) return;
      const counting = Promise.all(
        queues.map(async (queue) => [queue.name, await queue.getJobCounts(...jobStates)] as const),
      );
      const counted = await withTimeout(counting, countTimeoutMs, () => []).catch(() => []);
      for (const [queue, counts] of counted) {
        for (const state of jobStates) this.set({ queue, state }, counts[state] ?? 0);
      }
    },
  });
}
