import { readBatchJobs } from '../batches/read-batch-jobs.ts';
import type { PressProvider } from './press-provider.ts';

/** Creates the provider that prints nothing and reports everything as printed, then posted at the cutoff. */
export function createSimulatedProvider(): PressProvider {
  return {
    prepare: async () => async () => {},
    async locate() {
      return 'taken';
    },
    async readResults({ batch: { batchId } }) {
      const results = [];
      for await (const { items } of readBatchJobs(batchId)) {
        results.push(...items.map(({ itemId }) => ({ itemId, result: 'printed' as const })));
      }
      return { results, settle: async () => {} };
    },
    postsAtCutoff: true,
  };
}
