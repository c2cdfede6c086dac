import { type Claim, type Finish, reloadClaim } from '#common/platform/due-work/due-work.ts';
import type { EndpointRecord } from '../endpoints/endpoint.model.ts';
import type { EndpointSession } from './endpoint-session.ts';
import { createSendQueue, maxInFlight, type SendQueue } from './send-queue.ts';

/**
 * Interval between reads of the endpoint's row while posts are in flight and more could start. Doubles after each read
 * that finds no new work.
 */
const firstRefreshPauseMs = 200;
const maxRefreshPauseMs = 1_000;

/** State of the send loop of one endpoint session: the claim, the queue and what is left to do. */
export type SendingState = {
  /** The claim with the row as last read. A new version of the row means new work. */
  claim: Claim<EndpointRecord>;
  readonly session: EndpointSession;
  readonly queue: SendQueue;
  /** The health stored on the row. */
  savedHealth: EndpointSession['health'];
  /** More deliveries may be due. */
  mayHaveMore: boolean;
  /** Deliveries of an ended epoch may wait to be discarded. */
  mayHaveEnded: boolean;
  /** Maximum number of posts in flight: below `maxInFlight` while others use the origin, 0 when there are no permits. */
  concurrency: number;
  /** The origin of the current posts; undefined before the first one. */
  origin: string | undefined;
  /** The next deliveries go to another origin and wait until no post is in flight. */
  mustDrain: boolean;
  lastTakenAt: Date;
  refreshedAtMs: number;
  /** When the current version of the row was first read. */
  versionReadAtMs: number;
  refreshPauseMs: number;
  isLeaseLost: boolean;
};

export function createSendingState(claim: Claim<EndpointRecord>, session: EndpointSession): SendingState {
  return {
    claim,
    session,
    queue: createSendQueue(claim, session),
    savedHealth: session.health,
    mayHaveMore: true,
    mayHaveEnded: false,
    concurrency: maxInFlight,
    origin: undefined,
    mustDrain: false,
    lastTakenAt: new Date(0),
    refreshedAtMs: performance.now(),
    versionReadAtMs: performance.now(),
    refreshPauseMs: firstRefreshPauseMs,
    isLeaseLost: false,
  };
}

/** Refreshes the state unless that happened less than `refreshPauseMs` ago. */
export async function refreshIfDue(state: SendingState): Promise<void> {
  if (performance.now() - state.refreshedAtMs < state.refreshPauseMs) return;
  state.refreshPauseMs = Math.min(2 * state.refreshPauseMs, maxRefreshPauseMs);
  await refresh(state);
}

/** Reads the row again: detects new work, resets, manual retries and a lost lease. */
export async function refresh(state: SendingState): Promise<void> {
  const write = pendingWrite(state);
  applyRow(state, await reloadClaim(state.claim, write.fields), write);
}

type PendingWrite = Pick<EndpointSession, 'health'> & { fields: Omit<Finish, 'nextAt'> };

/** Returns the health to store with the next write of the row, which is skipped after a reset or a manual retry. */
export function pendingWrite({ session, savedHealth }: SendingState): PendingWrite {
  const { health } = session;
  return { health, fields: { set: health === savedHealth ? {} : { health }, onlyIf: session.unchangedFilter() } };
}

/** Applies the row as read together with `write`; null means that the lease is lost. */
export function applyRow(state: SendingState, current: Claim<EndpointRecord> | null, write: PendingWrite): void {
  const { claim, session } = state;
  state.refreshedAtMs = performance.now();
  if (!current) {
    state.isLeaseLost = true;
    return;
  }
  if (current.version !== claim.version) {
    state.mayHaveMore = true;
    state.versionReadAtMs = state.refreshedAtMs;
    state.refreshPauseMs = firstRefreshPauseMs;
  }
  session.applyRow(current.row);
  const wasSaved = JSON.stringify(session.unchangedFilter()) === JSON.stringify(write.fields.onlyIf);
  if (wasSaved) state.savedHealth = write.health;
  state.claim = current;
}
