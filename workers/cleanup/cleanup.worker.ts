import { maxBulksRemoved, removeOldBulks } from '#common/bulk/remove-old-bulks.ts';
import { type Clock, plusMs } from '#common/clock.ts';
import { findFilesToRender } from '#common/mail-jobs/render/find-files-to-render.ts';
import { mailNotices, maxMailed } from '#common/notices/mail-notices.ts';
import { endExpiredGrants, maxExpired } from '#common/oauth/tokens/revoke-grants.ts';
import { reconcileChore } from '#common/operations/reconcile.ts';
import { maxRecounted, recountStorage } from '#common/operations/recount-storage.ts';
import { type ChoreRecord, choreWork } from '#common/platform/due-work/chore.model.ts';
import { finishClaim } from '#common/platform/due-work/due-work.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Mailer } from '#common/platform/process/mailer.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { maxTemporaryRemoved, removeTemporaryObjects } from '#common/platform/s3/temporary-objects.ts';
import {
  maxRetained,
  type RetentionRules,
  redactOldAddresses,
  removeOldDocuments,
  removeTestPrintFiles,
} from '#common/production/retention/retain.ts';
import { maxBatchesCleared, removePrintParts } from '#common/production/submission/print-parts.ts';
import { maxCarrierFiles, takeCarrierFiles } from '#common/production/tracking/carrier-folder.ts';
import { maxRemoved, removeExpiredUploads } from '#common/uploads/remove-expired-uploads.ts';
import { maxChecked, watchLowBalances } from '#common/wallet/watch-low-balances.ts';
import type { DeliveryMetrics } from '#common/webhooks/deliveries/delivery-metrics.ts';
import { wakeForgotten } from '#common/webhooks/deliveries/wake-forgotten.ts';
import type { ClaimedWork } from '../claimed-work.ts';
import type { WorkerMetrics } from '../process/worker-metrics.ts';
import { reconcileAndLog } from './reconcile-chore.ts';

export type CleanupDeps = {
  store: ObjectStore;
  hints: Hints;
  retention: RetentionRules;
  carrierFolder: string | null;
  mailer: Mailer;
  /** The URL of the web host, for links in mails. */
  authUrl: string;
  workerMetrics: WorkerMetrics;
  metrics: DeliveryMetrics;
  clock: Clock;
  log: Log;
};
/** `run` returns how many items it found or processed. `isMore` returns whether that was the limit of one run. */
type Chore = {
  everyMs: number;
  run(deps: CleanupDeps, signal: AbortSignal): Promise<number>;
  isMore(count: number): boolean;
};

export const forgottenChore = 'forgotten-endpoints';
const unknownChoreMs = 60_000;
const nextRunMs = 1_000;

/** The chores by name. Each is safe to run twice. */
const chores: Record<string, Chore> = {
  'expired-uploads': {
    everyMs: 10 * 60_000,
    run: ({ store, clock, log, workerMetrics }) =>
      removeExpiredUploads(
        { store, log, findNeeded: findFilesToRender, onFailure: workerMetrics.uploadNotRemoved },
        clock.now(),
      ),
    isMore: (count) => count >= maxRemoved,
  },
  'test-print-files': {
    everyMs: 10 * 60_000,
    run: ({ store, clock, log }) => removeTestPrintFiles({ store, log }, clock.now()),
    isMore: (count) => count >= maxRetained,
  },
  'temporary-objects': {
    everyMs: 10 * 60_000,
    run: ({ store, clock, log }) => removeTemporaryObjects({ store, log }, clock.now()),
    isMore: (count) => count >= maxTemporaryRemoved,
  },
  'print-parts': {
    everyMs: 60 * 60_000,
    run: ({ store, clock, log }) => removePrintParts({ store, log }, clock.now()),
    isMore: (count) => count >= maxBatchesCleared,
  },
  'old-documents': {
    everyMs: 10 * 60_000,
    run: ({ store, retention, clock, log }) => removeOldDocuments(retention, { store, log }, clock.now()),
    isMore: (count) => count >= maxRetained,
  },
  'old-addresses': {
    everyMs: 10 * 60_000,
    run: ({ retention, clock }) => redactOldAddresses(retention, clock.now()),
    isMore: (count) => count >= maxRetained,
  },
  'old-bulks': {
    everyMs: 10 * 60_000,
    run: ({ clock }) => removeOldBulks(clock.now()),
    isMore: (count) => count >= maxBulksRemoved,
  },
  'expired-consents': {
    everyMs: 60_000,
    run: ({ clock }) => endExpiredGrants(clock.now()),
    isMore: (count) => count >= maxExpired,
  },
  'carrier-files': {
    everyMs: 60_000,
    run: async ({ carrierFolder, hints, clock, log }, signal) =>
      carrierFolder === null ? 0 : await takeCarrierFiles(carrierFolder, { hints, log }, clock.now(), signal),
    isMore: (count) => count >= maxCarrierFiles,
  },
  'storage-counts': {
    everyMs: 60_000,
    run: ({ clock, log }, signal) => recountStorage({ log, signal }, clock.now()),
    isMore: (count) => count >= maxRecounted,
  },
  [reconcileChore]: {
    everyMs: 60 * 60_000,
    run: ({ log }, signal) => reconcileAndLog(log, signal),
    isMore: () => false,
  },
  [forgottenChore]: {
    everyMs: 60 * 60_000,
    run: wakeForgottenEndpoints,
    isMore: () => false,
  },
  'low-balances': {
    everyMs: 60_000,
    run: ({ clock }) => watchLowBalances(clock.now()),
    isMore: (count) => count >= maxChecked,
  },
  notices: {
    everyMs: 30_000,
    run: (deps, signal) => mailNotices(deps, signal),
    isMore: (count) => count >= maxMailed,
  },
};

export const choreNames = Object.keys(chores);

/** Runs chores. Running one twice is harmless: items already removed are not found, and checks change nothing. */
export function cleanupWorker(deps: CleanupDeps): ClaimedWork<ChoreRecord> {
  return {
    slot: choreWork,
    // Two, so a long check does not block the other chores.
    concurrency: 2,
    async run(claim, { log, signal }) {
      const chore = chores[claim.id];
      if (!chore) {
        // Planned by a newer version that runs beside this one, and left to it.
        await finishClaim(claim, { nextAt: plusMs(deps.clock.now(), unknownChoreMs) });
        return;
      }
      const count = await chore.run(deps, signal);
      if (count > 0) log.info({ chore: claim.id, count }, 'chore done');
      const pauseMs = chore.isMore(count) ? nextRunMs : chore.everyMs;
      const at = deps.clock.now();
      await finishClaim(claim, { set: { lastRun: { at, count } }, nextAt: plusMs(at, pauseMs) });
    },
  };
}

/** The most endpoints in one log line. */
const maxNamed = 20;

/** Makes endpoints due that have waiting deliveries but no due time. Counts and logs them, and returns their number. */
export async function wakeForgottenEndpoints(
  { clock, log, metrics }: Pick<CleanupDeps, 'clock' | 'log' | 'metrics'>,
  signal: AbortSignal,
): Promise<number> {
  const endpointIds = await wakeForgotten(clock.now(), signal);
  const count = endpointIds.length;
  if (count > 0) {
    metrics.endpointsForgotten.inc(count);
    log.error({ count, endpointIds: endpointIds.slice(0, maxNamed) }, 'forgotten endpoints woken');
  }
  return count;
}
