import { type Clock, plusMs } from '../common/clock.ts';
import { reconcileChore } from '../common/mail-jobs/reconcile.ts';
import { mailNotices, maxMailed } from '../common/organizations/mail-notices.ts';
import { type ChoreRecord, choreWork } from '../common/platform/chore.model.ts';
import { finishClaim } from '../common/platform/due-work.ts';
import type { Log } from '../common/platform/log.ts';
import type { Mailer } from '../common/platform/mailer.ts';
import type { ObjectStore } from '../common/platform/s3.ts';
import { maxRemoved, removeExpiredUploads } from '../common/uploads/remove-expired-uploads.ts';
import { maxJudged, watchLowBalances } from '../common/wallet/watch-low-balances.ts';
import type { ClaimedWork } from './claimed-work.ts';
import { reconcileAndTell } from './reconcile-chore.ts';

export type CleanupDeps = {
  store: ObjectStore;
  mailer: Mailer;
  /** The address of the web host, to which mails lead. */
  authUrl: string;
  clock: Clock;
  log: Log;
};
/** `run` returns how much it has found or done; `isMore` tells when that was as much as it does at once. */
type Chore = {
  everyMs: number;
  run(deps: CleanupDeps, signal: AbortSignal): Promise<number>;
  isMore(count: number): boolean;
};

const unknownChoreMs = 60_000;
const nextRunMs = 1_000;

/** What is tidied up or checked, and how often. Each is safe to run twice. */
const chores: Record<string, Chore> = {
  'expired-uploads': {
    everyMs: 10 * 60_000,
    run: ({ store, clock }) => removeExpiredUploads(store, clock.now()),
    isMore: (count) => count >= maxRemoved,
  },
  [reconcileChore]: {
    everyMs: 60 * 60_000,
    run: ({ log }, signal) => reconcileAndTell(log, signal),
    isMore: () => false,
  },
  'low-balances': {
    everyMs: 60_000,
    run: ({ clock }) => watchLowBalances(clock.now()),
    isMore: (count) => count >= maxJudged,
  },
  notices: {
    everyMs: 30_000,
    run: (deps, signal) => mailNotices(deps, signal),
    isMore: (count) => count >= maxMailed,
  },
};

export const choreNames = Object.keys(chores);

/** Does the chores. May run twice for one of them: what is gone already is not found, and a check changes nothing. */
export function cleanupWorker(deps: CleanupDeps): ClaimedWork<ChoreRecord> {
  return {
    slot: choreWork,
    // A long check must not keep the others waiting.
    concurrency: 2,
    async run(claim, { log, signal }) {
      const chore = chores[claim.id];
      if (!chore) {
        // Planned by a newer version, beside which this one still runs: left to that.
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
