import type { Owner } from '#common/modes.ts';
import { createFairSemaphore, type FairSemaphore } from '#common/platform/concurrency/fair-semaphore.ts';

/** How many renders run at once, and when a render counts as slow. */
export type SlotSettings = {
  fastSlots: number;
  slowSlots: number;
  /** The budget of a render in a fast slot, over all its child processes. */
  fastCpuMs: number;
  fastWallMs: number;
  /** Most renders that wait for one kind of slot, of all organizations and of one. */
  maxWaiting: number;
  maxWaitingPerOrganization?: number;
};

/** The fraction of the budget that a render may use while an organization with fewer slots waits. */
const contendedShare = 0.5;

/**
 * Hostile files of one organization hold both fast slots for at most 3 s of CPU time or 6 s of wall time (a child may
 * sleep), and for half of that while another organization waits. Its render starts within 3 s, on any machine.
 */
export const defaultSlotSettings: SlotSettings = {
  fastSlots: 2,
  slowSlots: 1,
  fastCpuMs: 3000,
  fastWallMs: 6000,
  maxWaiting: 200,
};

/** The render needs the slow slot, which another render holds. Retry from the queue for that slot. */
export class SlowSlotTakenError extends Error {
  override readonly name = 'SlowSlotTakenError';
}

/** The slot that a render holds. A render may move from a fast slot to the slow one, never back. */
export type RenderSlot = {
  readonly isSlow: boolean;
  /** Whether the usage so far, plus `extra` for a running child, exceeds the budget of a fast slot. */
  isOverFastBudget(extra: { cpuMs: number | null; wallMs: number }): boolean;
  spend(usage: { cpuMs: number | null; wallMs: number }): void;
  /** Moves to the slow slot if it is free and no render waits for it. */
  tryMoveToSlow(): boolean;
  /**
   * Releases the fast slot, then waits for the slow one. No process of the render may run meanwhile. Throws
   * `SlowSlotTakenError` instead of waiting when the slot was requested with `whenSlowIsTaken: 'throw'`.
   */
  moveToSlow(signal: AbortSignal): Promise<void>;
  release(): void;
};

export type SlotRequest = {
  owner?: Owner;
  /** The kind of slot to start in, `fast` by default. */
  pool?: 'fast' | 'slow';
  /** What a render in a fast slot does when it needs the slow slot and that is taken, `wait` by default. */
  whenSlowIsTaken?: 'wait' | 'throw';
};

/** The owner of renders that name none, in programs with a single user. */
const noOwner: Owner = { organizationId: '', mode: 'test' };

export type RenderSlots = { acquire(signal: AbortSignal, request?: SlotRequest): Promise<RenderSlot> };

type Pools = { fast: FairSemaphore; slow: FairSemaphore };

/** Creates the slots of this process. `acquire` throws `SemaphoreFullError` or the signal's reason. */
export function createRenderSlots(settings: SlotSettings = defaultSlotSettings): RenderSlots {
  const { maxWaiting, maxWaitingPerOrganization = maxWaiting } = settings;
  const waiting = { maxWaiting, maxWaitingPerGroup: maxWaitingPerOrganization };
  const createPool = (permits: number) => createFairSemaphore({ permits, ...waiting });
  const pools: Pools = { fast: createPool(settings.fastSlots), slow: createPool(settings.slowSlots) };

  return {
    async acquire(signal, { owner = noOwner, pool = 'fast', whenSlowIsTaken = 'wait' } = {}) {
      await pools[pool].acquire(owner, signal);
      return createSlot({ pools, owner, start: pool, canWait: whenSlowIsTaken === 'wait', settings });
    },
  };
}

type SlotOptions = { pools: Pools; owner: Owner; start: 'fast' | 'slow'; canWait: boolean; settings: SlotSettings };

function createSlot({ pools, owner, start, canWait, settings }: SlotOptions): RenderSlot {
  const { slow } = pools;
  let pool: FairSemaphore | null = pools[start];
  let cpuMs = 0;
  let wallMs = 0;

  function release(): void {
    pool?.release(owner);
    pool = null;
  }

  function tryMoveToSlow(): boolean {
    if (pool === slow) return true;
    if (!slow.tryAcquire(owner)) return false;
    release();
    pool = slow;
    return true;
  }

  return {
    get isSlow() {
      return pool === slow;
    },
    isOverFastBudget(extra) {
      const part = pool?.shouldYield(owner) ? contendedShare : 1;
      const isOverCpu = cpuMs + (extra.cpuMs ?? 0) > settings.fastCpuMs * part;
      return isOverCpu || wallMs + extra.wallMs > settings.fastWallMs * part;
    },
    spend(usage) {
      cpuMs += usage.cpuMs ?? 0;
      wallMs += usage.wallMs;
    },
    tryMoveToSlow,
    async moveToSlow(signal) {
      if (tryMoveToSlow()) return;
      release();
      if (!canWait) throw new SlowSlotTakenError('The slow slot is taken.');
      await slow.acquire(owner, signal);
      pool = slow;
    },
    release,
  };
}
