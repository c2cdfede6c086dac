import { type RenderSlots, SlowSlotTakenError } from '#common/documents/isolation/render-slots.ts';
import { type Claim, findOverdue } from '#common/platform/due-work/due-work.ts';
import { type BulkRecord, bulkCheckWork, type CheckProgress } from '../model/bulk.model.ts';
import { continueLater } from '../send/continue-later.ts';
import type { BulkCheckDeps } from './bulk-check-deps.ts';

/** After this long, another bulk that waits gets the worker: the claim is due again behind it. */
const usualSliceMs = 5_000;

/** The part of a check that one claim does. */
export type CheckSlice = {
  /** Where the check was when the claim began. */
  readonly progress: CheckProgress;
  /** Slots that are not waited for longer than a slice. `acquire` throws SlowSlotTakenError instead. */
  readonly slots: RenderSlots;
  /** Gives what follows half a slice at least: reading the file is repeated in each. */
  hasRead(): void;
  /** Returns whether the time is over and another bulk waits. */
  isOver(): Promise<boolean>;
  /** Ends the claim. The next one continues from here, if the bulk is not cancelled. */
  end(progress: Partial<CheckProgress>): Promise<void>;
};

const beginning = { upToRow: 0, counts: null, warnedRows: [], prices: [], needsSlowSlot: false };

export function createCheckSlice(
  claim: Claim<BulkRecord>,
  { slots, clock, hints, sliceMs = usualSliceMs }: BulkCheckDeps,
): CheckSlice {
  const progress = claim.row.checking ?? { ...beginning, documents: [] };
  const others = { _id: { $ne: claim.id } };
  let endsMs = performance.now() + sliceMs;
  return {
    progress,
    slots: progress.needsSlowSlot ? waitingForSlow(slots, sliceMs) : refusingSlow(slots),
    hasRead() {
      endsMs = Math.max(endsMs, performance.now() + sliceMs / 2);
    },
    isOver: async () => performance.now() >= endsMs && (await findOverdue(bulkCheckWork, clock.now(), others)),
    async end(reached) {
      const set = { checking: { ...progress, ...reached } };
      await continueLater(claim, { clock, hints }, { set, onlyIf: { state: 'validating' } });
    },
  };
}

const refusingSlow = (slots: RenderSlots): RenderSlots => ({
  acquire: async (signal, request) => await slots.acquire(signal, { ...request, whenSlowIsTaken: 'throw' }),
});

/** A process has one slow slot, so slow files hold at most one of its places. */
const waitingForSlow = (slots: RenderSlots, sliceMs: number): RenderSlots => ({
  async acquire(signal, request) {
    const waiting = AbortSignal.timeout(sliceMs);
    try {
      return await slots.acquire(AbortSignal.any([signal, waiting]), { ...request, pool: 'slow' });
    } catch (error) {
      if (waiting.aborted && !signal.aborted) throw new SlowSlotTakenError('The slow slot was not free in time.');
      throw error;
    }
  },
});
