import type { RenderSeat } from './render-slots.ts';
import { type ChildEnd, type ChildRun, runInChild } from './run-in-child.ts';

export type SeatedRun = Omit<ChildRun, 'hasLowPriority' | 'onUsage'>;
export type SeatedEnd = Exclude<ChildEnd, { kind: 'stopped' }>;

/**
 * Runs a child of a render in the slot the render holds. When the render has used up its share of a fast slot, the
 * child goes on in the slow slot if that is free; else it is ended, the fast slot is handed on, and the child starts
 * again once the slow slot is reached: a waiting render then holds no memory and no process.
 */
export async function runInSeat(seat: RenderSeat, run: SeatedRun): Promise<SeatedEnd> {
  if (seat.isOverFastShare({ cpuMs: 0, wallMs: 0 })) await seat.moveToSlow(run.signal);

  const first = await runOnce(seat, run);
  if (first.kind !== 'stopped') return first;

  await seat.moveToSlow(run.signal);
  const second = await runOnce(seat, run);
  if (second.kind === 'stopped') throw new Error('A child in the slow slot was asked to make room.');
  return second;
}

async function runOnce(seat: RenderSeat, run: SeatedRun): Promise<ChildEnd> {
  const end = await runInChild({
    ...run,
    hasLowPriority: seat.isSlow,
    onUsage(usage) {
      if (seat.isSlow || !seat.isOverFastShare(usage)) return 'go on';
      return seat.tryMoveToSlow() ? 'lower' : 'stop';
    },
  });
  seat.spend(end.usage);
  return end;
}
