import type { RenderSlot } from './render-slots.ts';
import { type ChildEnd, type ChildRun, runInChild } from './run-in-child.ts';

export type SlotRun = Omit<ChildRun, 'hasLowPriority' | 'onUsage'>;
export type SlotRunEnd = Exclude<ChildEnd, { kind: 'stopped' }>;

/**
 * A child that computes reaches its CPU limit first. One that used less than this share of its wall time waited, for
 * example because the machine paused.
 */
const idleShare = 0.1;

/**
 * Runs a child process in the slot that its render holds, see `runMoving`. A child that reached its wall time limit
 * without computing is run a second time: the letter must not fail for what its document did not cause.
 */
export async function runInSlot(slot: RenderSlot, run: SlotRun): Promise<SlotRunEnd> {
  const end = await runMoving(slot, run);
  if (!isIdle(end, run)) return end;
  run.log.warn({ ...end.usage }, 'document process waited without computing until its time was over, running it again');
  return await runMoving(slot, run);
}

function isIdle(end: SlotRunEnd, { limits }: SlotRun): boolean {
  const isOutOfTime = end.kind === 'fault' && end.fault === 'out_of_time';
  return isOutOfTime && end.usage.cpuMs !== null && end.usage.cpuMs < limits.wallMs * idleShare;
}

/**
 * When the render exceeds the budget of a fast slot, the child continues in the slow slot if that is free. Otherwise the
 * child is killed, the fast slot is released, and the child restarts in the slow slot: a waiting render holds no memory
 * and no process.
 */
async function runMoving(slot: RenderSlot, run: SlotRun): Promise<SlotRunEnd> {
  if (slot.isOverFastBudget({ cpuMs: 0, wallMs: 0 })) await slot.moveToSlow(run.signal);

  const first = await runOnce(slot, run);
  if (first.kind !== 'stopped') return first;

  await slot.moveToSlow(run.signal);
  const second = await runOnce(slot, run);
  if (second.kind === 'stopped') throw new Error('A child in the slow slot was stopped to free its slot.');
  return second;
}

async function runOnce(slot: RenderSlot, run: SlotRun): Promise<ChildEnd> {
  const end = await runInChild({
    ...run,
    hasLowPriority: slot.isSlow,
    onUsage(usage) {
      if (slot.isSlow || !slot.isOverFastBudget(usage)) return 'continue';
      return slot.tryMoveToSlow() ? 'lower' : 'stop';
    },
  });
  slot.spend(end.usage);
  return end;
}
