import type { RenderSlot } from './render-slots.ts';
import { type ChildEnd, type ChildRun, runInChild } from './run-in-child.ts';

export type SlotRun = Omit<ChildRun, 'hasLowPriority' | 'onUsage'>;
export type SlotRunEnd = Exclude<ChildEnd, { kind: 'stopped' }>;

/**
 * Runs a child process in the slot that its render holds. When the render exceeds the budget of a fast slot, the child
 * continues in the slow slot if that is free. Otherwise the child is killed, the fast slot is released, and the child
 * restarts in the slow slot: a waiting render holds no memory and no process.
 */
export async function runInSlot(slot: RenderSlot, run: SlotRun): Promise<SlotRunEnd> {
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
