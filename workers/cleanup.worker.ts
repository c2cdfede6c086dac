import { type Clock, plusMs } from '../common/clock.ts';
import { type ChoreRecord, choreWork } from '../common/platform/chore.model.ts';
import { finishClaim } from '../common/platform/due-work.ts';
import type { Log } from '../common/platform/log.ts';
import type { ObjectStore } from '../common/platform/s3.ts';
import { maxRemoved, removeExpiredUploads } from '../common/uploads/remove-expired-uploads.ts';
import type { ClaimedWork } from './claimed-work.ts';

export type CleanupDeps = { store: ObjectStore; clock: Clock; log: Log };
/** `run` returns how much it has done; `isMore` tells when that was as much as it does at once. */
type Chore = { everyMs: number; run(deps: CleanupDeps): Promise<number>; isMore(count: number): boolean };

const unknownChoreMs = 60_000;
const nextRunMs = 1_000;

/** What is tidied up, and how often. Each is safe to run twice. */
const chores: Record<string, Chore> = {
  'expired-uploads': {
    everyMs: 10 * 60_000,
    run: ({ store, clock }) => removeExpiredUploads(store, clock.now()),
    isMore: (count) => count >= maxRemoved,
  },
};

export const choreNames = Object.keys(chores);

/** Tidies up. May run twice for one chore: what is gone already is not found. */
export function cleanupWorker(deps: CleanupDeps): ClaimedWork<ChoreRecord> {
  return {
    slot: choreWork,
    concurrency: 1,
    async run(claim, { log }) {
      const chore = chores[claim.id];
      if (!chore) {
        // Planned by a newer version, beside which this one still runs: left to that.
        await finishClaim(claim, { nextAt: plusMs(deps.clock.now(), unknownChoreMs) });
        return;
      }
      const count = await chore.run(deps);
      if (count > 0) log.info({ chore: claim.id, count }, 'tidied up');
      const pauseMs = chore.isMore(count) ? nextRunMs : chore.everyMs;
      await finishClaim(claim, { nextAt: plusMs(deps.clock.now(), pauseMs) });
    },
  };
}
