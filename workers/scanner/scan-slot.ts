import { plusMs } from '#common/clock.ts';
import { type DueSlot, hintHorizonMs, hintTimeoutMs, markHinted } from '#common/platform/due-work/due-work.ts';
import type { PauseView } from '#common/platform/due-work/pauses.ts';
import {
  type DuePosition,
  type DueWork,
  readDueAfter,
  readLastDue,
  readOrganizations,
} from '#common/platform/due-work/read-due.ts';
import { type Hints, isClaimedInBulk } from '#common/platform/redis/queues.ts';
import { chooseHints, hintLimits } from './choose-hints.ts';

/** Rows per read. */
const pageSize = 1_000;
/** Time limit of one scan. The next tick continues with the rest of a long backlog. */
const scanMs = 200;
/** Messages per call: few enough for Redis to process in milliseconds. */
const hintsPerCall = 100;
/** Work that is claimed in bulk is looked at in a pause, too: letters that miss their cutoff get the next one. */
const pausedEveryMs = 10_000;
/** Added to delays, because a worker's clock may be slightly behind. */
const clockMarginMs = 50;

/**
 * Delayed hints take effect at multiples of this time. Rows that fall due shortly after each other are then claimed, and
 * often processed, together.
 */
const hintStepMs = 250;

/** One tick. Hints sent before `hintsLostAt` do not count, because Redis has lost them. Paused work gets none. */
export type ScanTick = { now: Date; hintsLostAt: Date; paused: PauseView };

/** The result of a scan: work to send hints for, and work whose hint is too recent to count as lost. */
type Scanned = { candidates: Map<string, DueWork>; hinted: Map<string, DueWork> };

/**
 * Returns a function that sends hints for work of a slot that falls due within the horizon. Each call continues behind the
 * last row of the previous call, and wraps around if time allows. If it does not, the call also reads the rows due last.
 * So a backlog delays hints by some ticks, but hides no work. After a call that finds nothing, the next one is left out.
 */
export function createSlotScan(slot: DueSlot, hints: Hints): (tick: ScanTick) => Promise<void> {
  const isBulk = isClaimedInBulk(slot.queue);
  let position: DuePosition | null = null;
  let pausedScanMs = Number.NEGATIVE_INFINITY;
  let isEmpty = false;
  let isLeftOut = false;

  async function scan({ now, hintsLostAt, paused }: ScanTick): Promise<Scanned> {
    const until = plusMs(now, hintHorizonMs);
    const staleMs = Math.max(hintsLostAt.getTime(), now.getTime() - hintTimeoutMs);
    // Marked by a process whose clock was ahead. The hint would otherwise count until this clock catches up.
    const isFromFuture = ({ hintedAt }: DueWork) => hintedAt !== null && hintedAt > plusMs(now, hintTimeoutMs);
    const seen: Scanned = { candidates: new Map(), hinted: new Map() };
    const endsAtMs = performance.now() + scanMs;
    const add = (page: readonly DueWork[]) => {
      for (const row of page) {
        if (row.isLeased || isPaused(row, paused)) continue;
        const work = isFromFuture(row) ? { ...row, hintedAt: null } : row;
        const isHinted = work.hintedAt !== null && work.hintedAt.getTime() > staleMs;
        seen[isHinted ? 'hinted' : 'candidates'].set(work.id, work);
      }
    };
    const isEnough = () => (isBulk && seen.candidates.size > 0) || performance.now() >= endsAtMs;
    // The clock of this process was set back. A range that starts after its end would fail until the clock catches up.
    if (position !== null && position.at > until) position = null;
    const start = position;
    let isSecondLap = start === null;
    for (let isOver = false; !isOver; ) {
      const page = await readDueAfter(slot, { after: position, until, limit: pageSize });
      add(page);
      const isAtEnd = page.length < pageSize;
      position = isAtEnd ? null : (page.at(-1) ?? null);
      isOver = isEnough() || (isSecondLap && (isAtEnd || isPast(position, start)));
      if (isAtEnd) isSecondLap = true;
    }
    // A backlog takes several ticks. The rows due last, which may never have been hinted, are at its end.
    if (position !== null && !isBulk) add(await readLastDue(slot, { until, limit: pageSize }));
    return seen;
  }

  // Workers that claim in bulk leave out what is paused themselves.
  const isPaused = ({ organizationId }: DueWork, paused: PauseView) =>
    !isBulk && paused.covers(slot.queue, organizationId);

  return async (tick) => {
    if (tick.paused.of(slot.queue).isPaused) {
      if (!isBulk || performance.now() - pausedScanMs < pausedEveryMs) return;
      pausedScanMs = performance.now();
    }
    isLeftOut = !isLeftOut && isEmpty;
    if (isLeftOut) return;
    const { candidates, hinted } = await scan(tick);
    isEmpty = candidates.size + hinted.size === 0;
    if (candidates.size === 0) return;
    const queued = await hints.listQueued(slot.queue, hintLimits.queued);
    const known = new Map([...candidates, ...hinted].map(([id, { organizationId }]) => [id, organizationId]));
    const others = await readOrganizations(
      slot,
      queued.filter((id) => !known.has(id)),
    );
    const organizationOf = (id: string) => known.get(id) ?? others.get(id) ?? null;
    const ids = [...new Set([...hinted.keys(), ...queued])];
    const byOrganization = new Map(
      [...Map.groupBy(ids, organizationOf)].map(([organizationId, own]) => [organizationId, own.length]),
    );
    for (const id of queued) candidates.delete(id);
    const hintedWork = { queued: queued.length, byOrganization };
    const chosen = chooseHints([...candidates.values()], hintedWork, tick.now);
    await send(slot, isBulk ? chosen.slice(0, 1) : chosen, tick.now, hints);
  };
}

const isPast = (position: DuePosition | null, start: DuePosition | null): boolean =>
  position !== null &&
  start !== null &&
  (position.at.getTime() - start.at.getTime() || (position.id < start.id ? -1 : 1)) >= 0;

async function send(slot: DueSlot, chosen: readonly DueWork[], now: Date, hints: Hints): Promise<void> {
  const delayOf = (at: Date) => {
    if (at <= now) return 0;
    return Math.ceil((at.getTime() + clockMarginMs) / hintStepMs) * hintStepMs - now.getTime();
  };
  for (let start = 0; start < chosen.length; start += hintsPerCall) {
    const some = chosen.slice(start, start + hintsPerCall);
    const ids = some.map(({ id }) => id);
    // Marked before sending: if the process dies in between, a hint is only delayed, and hints never multiply.
    await markHinted(slot, ids, now);
    try {
      await hints.add(some.map(({ id, at }) => ({ queue: slot.queue, id, delayMs: delayOf(at) })));
    } catch (error) {
      await markHinted(slot, ids, null);
      throw error;
    }
  }
}
