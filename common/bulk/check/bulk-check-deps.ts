import type { Clock } from '#common/clock.ts';
import type { EnvelopeWindow } from '#common/config/variables.ts';
import type { RenderSlots } from '#common/documents/isolation/render-slots.ts';
import type { TypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import type { WarmPool } from '#common/documents/warm/warm-pool.ts';
import type { Mode } from '#common/modes.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';

/** What checking a bulk needs. It opens documents, so it runs with rendering and shares its slots. */
export type BulkCheckDeps = {
  store: ObjectStore;
  slots: RenderSlots;
  /** Null: every file is opened by a process of its own. */
  warmPool: WarmPool | null;
  typesetting: TypesettingPool;
  hints: Hints;
  envelopeWindow: EnvelopeWindow;
  maxStoredBytes: Record<Mode, number>;
  clock: Clock;
  /** How long a claim may take while another bulk waits. Tests set it; default: 5 s. */
  sliceMs?: number;
  log: Log;
};
