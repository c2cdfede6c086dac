import { plusMs } from '#common/clock.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import {
  claimDeliveries,
  findDueDeliveries,
  findProbe,
  maxBatch,
  releaseDeliveries,
} from '../deliveries/claim-deliveries.ts';
import { discardEnded } from '../deliveries/discard-ended.ts';
import { isProbing } from '../endpoints/breaker.ts';
import type { EndpointRecord } from '../endpoints/endpoint.model.ts';
import { endedEpoch } from '../endpoints/post-target.ts';
import { type SessionDeps, type SessionSignals, startSession } from './endpoint-session.ts';
import { type NextRun, planNextRun } from './plan-next-run.ts';
import { reclaimOrphans } from './reclaim-orphans.ts';
import { maxInFlight } from './send-queue.ts';
import {
  applyRow,
  createSendingState,
  pendingWrite,
  refresh,
  refreshIfDue,
  type SendingState,
} from './sending-state.ts';

/** Shortest wait before the next run when others use the whole quota of the origin. Jitter at most doubles it. */
const noPermitsPauseMs = 1_000;

/**
 * Sends the due deliveries of a leased endpoint, up to ten posts at once, then releases the endpoint. Claims more as
 * soon as a post ends, so a slow answer delays no other delivery. Delivery is at-least-once: after a crash the next
 * session sends the orphaned deliveries again, under the same ids.
 */
export async function sendDueDeliveries(
  claim: Claim<EndpointRecord>,
  deps: SessionDeps,
  signals: SessionSignals,
): Promise<void> {
  const session = startSession(claim, deps, signals);
  const state = createSendingState(claim, session);
  try {
    await begin(state);
    for (let isReleased = false; !isReleased && !state.isLeaseLost && !session.signal.aborted; ) {
      state.queue.throwIfFailed();
      isReleased = await step(state);
    }
  } finally {
    // Also after a failure: posts in flight must end before the permits and the lease become free.
    try {
      await state.queue.close();
    } finally {
      await session.releasePermits();
    }
  }
}

async function begin(state: SendingState): Promise<void> {
  const { claim, session } = state;
  if (session.signal.aborted) return;
  const [hadOrphans, target] = await Promise.all([
    reclaimOrphans(claim, session.deps.clock.now(), session.deps),
    session.findTarget(),
    // From here on the session knows the pauses.
    session.isHeld(),
  ]);
  state.mayHaveMore ||= hadOrphans;
  state.mayHaveEnded = endedEpoch(target) >= 0;
}

/** Does the next possible action or waits for one; returns whether the endpoint was released. */
async function step(state: SendingState): Promise<boolean> {
  const { session, queue } = state;
  if (canClaim(state)) {
    await claimMore(state);
  } else if (state.mayHaveEnded && !session.isEnding()) {
    const target = await session.findTarget();
    state.mayHaveEnded = await discardEnded(endpointOf(state), endedEpoch(target), session.deps.clock.now());
    await refreshIfDue(state);
  } else if (queue.isIdle()) {
    return await tryToRelease(state);
  } else {
    await queue.untilFree(state.refreshPauseMs);
    const hasCapacity = queue.waiting() === 0 && queue.inFlight() < state.concurrency && !session.isHalted();
    if (hasCapacity && !state.mayHaveMore) await refreshIfDue(state);
  }
  return false;
}

function canClaim({ session, queue, mayHaveMore, mustDrain, concurrency }: SendingState): boolean {
  if (!mayHaveMore || session.isHalted() || queue.waiting() > 0 || queue.inFlight() >= concurrency) return false;
  // A probe must be the only post in flight.
  const isExclusive = mustDrain || isProbing(session.health, session.deps.clock.now());
  return !isExclusive || queue.inFlight() === 0;
}

const endpointOf = ({ claim: { id, row } }: SendingState) => ({
  organizationId: row.organizationId,
  endpointId: id,
});

async function claimMore(state: SendingState): Promise<void> {
  const { claim, session, queue } = state;
  const { clock, metrics } = session.deps;
  const now = clock.now();
  const target = await session.findTarget();
  if (!target.isOpen) {
    state.mayHaveMore = false;
    state.mayHaveEnded = true;
    return;
  }
  const isProbe = isProbing(session.health, now);
  const backlog = { ...endpointOf(state), epoch: target.epoch };
  const found = await (isProbe ? findProbe(backlog, claim.row.manualRetry, now) : findDueDeliveries(backlog, now));
  state.mayHaveMore = found.length === (isProbe ? 1 : maxBatch);
  const [first] = found;
  if (!first) return;

  const { origin } = new URL(target.url ?? first.url);
  state.mustDrain = state.origin !== undefined && state.origin !== origin && queue.inFlight() > 0;
  if (state.mustDrain) {
    state.mayHaveMore = true;
    return;
  }
  state.origin = origin;
  // Strictly increasing: `reclaimOrphans` orders the batches by it.
  const takenAt = new Date(Math.max(now.getTime(), state.lastTakenAt.getTime() + 1));
  state.lastTakenAt = takenAt;
  // Request no more permits than it can use: other endpoints share this origin.
  const wanted = Math.min(queue.inFlight() + found.length, maxInFlight);
  const write = pendingWrite(state);
  const [{ deliveries, expired, current }, granted] = await Promise.all([
    claimDeliveries(claim, found, { now: takenAt, paused: session.deps.pauses.latest() }, write.fields),
    session.acquirePermits(origin, wanted),
  ]);
  if (expired > 0) metrics.deliveries.inc({ result: 'failed', error_class: 'expired' }, expired);
  applyRow(state, current, write);
  if (deliveries.length < found.length) state.mayHaveMore = true;
  state.concurrency = granted < wanted ? granted : maxInFlight;
  if (granted > 0) queue.add(deliveries, granted);
  else await releaseDeliveries(deliveries, claim.token);
}

/** Releases the endpoint unless it has more work now; returns whether it did. */
async function tryToRelease(state: SendingState): Promise<boolean> {
  const { claim, session } = state;
  const { nextAt, hasEnded } =
    state.concurrency === 0
      ? retryForPermits(session.deps)
      : await planNextRun(claim, session, performance.now() - state.versionReadAtMs);
  const { set = {} } = pendingWrite(state).fields;
  if (nextAt !== 'now' && (await finishClaim(claim, { set, nextAt }))) return true;
  state.mayHaveEnded ||= hasEnded;
  state.mayHaveMore = true;
  await refresh(state);
  return false;
}

function retryForPermits({ clock, random }: SessionDeps): NextRun {
  return { nextAt: plusMs(clock.now(), Math.ceil(noPermitsPauseMs * (1 + random()))), hasEnded: false };
}
