import {
  type PressProvider,
  type PressResult,
  PressUnavailableError,
  type Whereabouts,
} from '#common/production/providers/press-provider.ts';

/** The steps at which the handing over of a batch may end. */
export const pressSteps = ['prepare', 'before', 'after'] as const;
export type PressStep = (typeof pressSteps)[number];

/** What a worker's death looks like to a test: the work ends without any further write. */
export class Crash extends Error {}

/**
 * A press that remembers what it printed. `crashAt` ends the next handing over at a step; `isDown` refuses batches;
 * `isBlind` makes it unable to tell whether it has a batch.
 */
export function aPress() {
  const printed: { batchId: string; itemId: string; sha256: string }[] = [];
  const taken = new Set<string>();
  const results: PressResult[] = [];
  const settings = { crashAt: null as PressStep | null, isDown: false, isBlind: false };
  function crash(step: PressStep): void {
    if (settings.crashAt !== step) return;
    settings.crashAt = null;
    throw new Crash(step);
  }
  const provider: PressProvider = {
    async prepare({ batch: { batchId }, copies }) {
      const sheets: typeof printed = [];
      for await (const { item } of copies()) sheets.push({ batchId, itemId: item.itemId, sha256: item.sha256 });
      crash('prepare');
      return async () => {
        if (settings.isDown) throw new PressUnavailableError('The press is switched off. Switch it on.');
        crash('before');
        taken.add(batchId);
        printed.push(...sheets);
        crash('after');
      };
    },
    async locate({ batchId }): Promise<Whereabouts> {
      if (settings.isBlind) return 'unknown';
      return taken.has(batchId) ? 'taken' : 'not_taken';
    },
    async readResults() {
      const reported = [...results];
      return { results: reported, settle: async () => void results.splice(0, reported.length) };
    },
  };
  return { provider, printed, results, settings };
}
