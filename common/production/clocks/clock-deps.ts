import type { Clock } from '#common/clock.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { RetentionRules } from '../retention/retain.ts';

export type ClockDeps = {
  clock: Clock;
  hints: Hints;
  retention: RetentionRules;
  store: ObjectStore;
  log: Log;
  /** For how long one call advances a clock. Default: 1 s. */
  sliceMs?: number;
};
