import type { RenderSlot } from '../isolation/render-slots.ts';
import type { WarmRequest } from './warm-frames.ts';
import { maxWarmBytes, type WarmPool, type WarmResult } from './warm-pool.ts';

/** Who works on whose file, in which slot. Without a pool, each file gets a process of its own. */
export type WarmWork = {
  warmPool: WarmPool | null;
  slot: RenderSlot;
  organizationId: string;
  signal: AbortSignal;
};

/**
 * Passes a small file to a warm process, at the expense of the slot. Returns null when it needs a process of its own:
 * there is no pool or no child is ready, it is too large, the budget of the slot is spent, or a warm process had any
 * difficulty. Throws the signal's reason.
 */
export async function runWarm(
  { warmPool, slot, organizationId, signal }: WarmWork,
  request: WarmRequest,
): Promise<WarmResult | null> {
  const isTooLarge = request.bytes.length > maxWarmBytes;
  if (!warmPool || isTooLarge || slot.isOverFastBudget({ cpuMs: 0, wallMs: 0 })) return null;
  const { result, wallMs } = await warmPool.run(request, organizationId, signal);
  slot.spend({ cpuMs: null, wallMs });
  return result;
}
