import type { DueWork } from '#common/platform/due-work/read-due.ts';

/**
 * Limits per queue. `queued`: messages that no worker has picked up yet. More would only pile up in Redis.
 * `perOrganization`: hinted or queued rows of one organization while others have due work. `perTick`: hints per tick.
 */
export const hintLimits = { queued: 2_000, perOrganization: 250, perTick: 1_000 } as const;
/** The other half of a queue is reserved for due work of organizations within their share. */
const sharedHalf = hintLimits.queued / 2;

/** Work that was hinted and not claimed yet. */
export type HintedWork = {
  /** Messages in the queue. */
  queued: number;
  /** Rows that are hinted or queued, by organization. */
  byOrganization: ReadonlyMap<string | null, number>;
};

/**
 * Chooses the work to send hints for: never hinted work first, then the oldest hints. An organization above its share
 * gets only the free part of one half of the queue, so its backlog cannot crowd out others.
 */
export function chooseHints(candidates: readonly DueWork[], hinted: HintedWork, now: Date): DueWork[] {
  const counts = new Map(hinted.byOrganization);
  const chosen: DueWork[] = [];
  const choose = (work: DueWork, limits: { own: number; queued: number }): boolean => {
    const own = counts.get(work.organizationId) ?? 0;
    const isFull = chosen.length >= hintLimits.perTick || hinted.queued + chosen.length >= limits.queued;
    if (isFull || own >= limits.own) return false;
    counts.set(work.organizationId, own + 1);
    chosen.push(work);
    return true;
  };
  const isWithinShare = (work: DueWork) =>
    choose(work, { own: hintLimits.perOrganization, queued: work.at <= now ? hintLimits.queued : sharedHalf });
  const rest = candidates.toSorted(byLastHint).filter((work) => !isWithinShare(work));
  for (const work of rest) choose(work, { own: sharedHalf, queued: sharedHalf });
  return chosen;
}

function byLastHint(left: DueWork, right: DueWork): number {
  const hintedMs = ({ hintedAt }: DueWork) => hintedAt?.getTime() ?? 0;
  return hintedMs(left) - hintedMs(right) || left.at.getTime() - right.at.getTime();
}
