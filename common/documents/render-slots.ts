/** How many renders run at once, and when one counts as slow. */
export type SlotSettings = {
  fastSlots: number;
  slowSlots: number;
  /** What a render may use in a fast slot, over all its child processes. */
  fastCpuMs: number;
  fastWallMs: number;
  /** Renders that may wait in front of either kind of slot. */
  maxWaiting: number;
};

/**
 * Two hostile files hold both fast slots for 3 s of CPU or 6 s on the wall (a child may also sleep), then one slow slot
 * between them: a good letter behind them starts within 6 s.
 */
export const defaultSlotSettings: SlotSettings = {
  fastSlots: 2,
  slowSlots: 1,
  fastCpuMs: 3000,
  fastWallMs: 6000,
  maxWaiting: 200,
};

/** More renders wait than a process should hold: give the work back to the queue and try again later. */
export class SlotsFullError extends Error {
  override readonly name = 'SlotsFullError';
}

/** One render's place. It starts in a fast slot and may move to the slow one, never back. */
export type RenderSeat = {
  readonly isSlow: boolean;
  /** Whether what was spent, with `extra` for a child still running, is over the share of a fast slot. */
  isOverFastShare(extra: { cpuMs: number | null; wallMs: number }): boolean;
  spend(usage: { cpuMs: number | null; wallMs: number }): void;
  /** Takes the slow slot if it is free and nobody waits for it. */
  tryMoveToSlow(): boolean;
  /** Gives the fast slot back first, then waits for the slow one. Nothing of the render may run meanwhile. */
  moveToSlow(signal: AbortSignal): Promise<void>;
  leave(): void;
};

export type RenderSlots = { enter(signal: AbortSignal): Promise<RenderSeat> };

/** The slots of this process. `enter` waits in order of arrival; it throws `SlotsFullError` or the signal's reason. */
export function createRenderSlots(settings: SlotSettings = defaultSlotSettings): RenderSlots {
  const fast = createLane(settings.fastSlots, settings.maxWaiting);
  const slow = createLane(settings.slowSlots, settings.maxWaiting);

  return {
    async enter(signal) {
      await fast.enter(signal);
      return createSeat(fast, slow, settings);
    },
  };
}

function createSeat(fast: Lane, slow: Lane, settings: SlotSettings): RenderSeat {
  let lane: Lane | null = fast;
  let cpuMs = 0;
  let wallMs = 0;

  return {
    get isSlow() {
      return lane === slow;
    },
    isOverFastShare(extra) {
      return cpuMs + (extra.cpuMs ?? 0) > settings.fastCpuMs || wallMs + extra.wallMs > settings.fastWallMs;
    },
    spend(usage) {
      cpuMs += usage.cpuMs ?? 0;
      wallMs += usage.wallMs;
    },
    tryMoveToSlow() {
      if (lane === slow) return true;
      if (!slow.tryEnter()) return false;
      lane?.leave();
      lane = slow;
      return true;
    },
    async moveToSlow(signal) {
      if (lane === slow) return;
      lane?.leave();
      lane = null;
      await slow.enter(signal);
      lane = slow;
    },
    leave() {
      lane?.leave();
      lane = null;
    },
  };
}

type Lane = { enter(signal: AbortSignal): Promise<void>; tryEnter(): boolean; leave(): void };

/** A bounded number of places, handed on in order of arrival. */
function createLane(places: number, maxWaiting: number): Lane {
  let free = places;
  const waiting: (() => void)[] = [];

  function tryEnter(): boolean {
    if (free === 0) return false;
    free -= 1;
    return true;
  }

  return {
    tryEnter,
    async enter(signal) {
      signal.throwIfAborted();
      if (tryEnter()) return;
      if (waiting.length >= maxWaiting) throw new SlotsFullError('Too many documents wait to be rendered.');

      await new Promise<void>((resolve, reject) => {
        const take = () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(take), 1);
          reject(signal.reason);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(take);
      });
    },
    leave() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
