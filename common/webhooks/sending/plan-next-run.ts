import { plusMs } from '#common/clock.ts';
import type { Claim } from '#common/platform/due-work/due-work.ts';
import { findFirstPending, findNextDue, isSending } from '../deliveries/claim-deliveries.ts';
import { isPaused } from '../endpoints/breaker.ts';
import type { EndpointRecord } from '../endpoints/endpoint.model.ts';
import { endedEpoch, targetMaxAgeMs } from '../endpoints/post-target.ts';
import type { EndpointSession } from './endpoint-session.ts';

/** Wait before the next run when the pending delivery changed between two reads. */
const changedPauseMs = 1_000;

/**
 * `nextAt`: when the endpoint falls due again. The scanner sends the hint at that time. Null when no delivery is due or
 * being sent, `now` when the current session has more to do. `hasEnded`: the session must discard deliveries of an ended
 * epoch.
 */
export type NextRun = { nextAt: Date | null | 'now'; hasEnded: boolean };

/**
 * Returns when an endpoint with no post in flight must run again. `versionAgeMs` is the age of the claim's version: a
 * change of the webhook raises the version, so a target read before that version may be outdated, and releasing the
 * endpoint would not be refused.
 */
export async function planNextRun(
  { id: endpointId, leaseMs, row: { organizationId } }: Claim<EndpointRecord>,
  session: EndpointSession,
  versionAgeMs: number,
): Promise<NextRun> {
  const endpoint = { organizationId, endpointId };
  const first = await findFirstPending(endpoint);
  if (!first) return { nextAt: null, hasEnded: false };
  const now = session.deps.clock.now();
  const cached = await session.findTarget(session.isAbandoned() ? 0 : Math.min(targetMaxAgeMs, versionAgeMs));
  // A delivery with a newer epoch shows that the webhook was re-enabled after the cached read.
  const target = first.epoch > cached.epoch ? await session.findTarget(0) : cached;
  if (target.isOpen) session.resume();
  if (first.state === 'due' && first.epoch <= endedEpoch(target)) {
    return { nextAt: session.isEnding() ? now : 'now', hasEnded: true };
  }
  const [nextDue, isBusy] = await Promise.all([findNextDue({ ...endpoint, epoch: target.epoch }), isSending(endpoint)]);
  if (nextDue && nextDue <= now && !session.isHalted()) return { nextAt: 'now', hasEnded: false };
  const { pausedUntil } = session.health;
  const resumedAt = pausedUntil && isPaused(session.health, now) ? pausedUntil : now;
  const times = [
    ...(nextDue ? [Math.max(nextDue.getTime(), resumedAt.getTime())] : []),
    // Held by a worker that has lost the lease or died: the next session reclaims them.
    ...(isBusy ? [plusMs(now, leaseMs).getTime()] : []),
  ];
  const nextAt = times.length > 0 ? new Date(Math.min(...times)) : plusMs(now, changedPauseMs);
  return { nextAt, hasEnded: false };
}
