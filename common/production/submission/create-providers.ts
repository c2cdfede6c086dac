import type { Papers } from '#common/documents/papers/papers.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { ProviderName } from '#common/services.ts';
import { Batch, type BatchRecord } from '../batches/batch.model.ts';
import { createCupsProvider } from '../providers/cups/create-cups-provider.ts';
import { createHotFolderProvider } from '../providers/hot-folder/create-hot-folder-provider.ts';
import { prepareHotFolder } from '../providers/hot-folder/prepare-hot-folder.ts';
import { createManualProvider } from '../providers/manual.ts';
import type { PressProvider } from '../providers/press-provider.ts';
import { createSimulatedProvider } from '../providers/simulated.ts';

type PrintSettings = { hotFolder: string | null; cupsPrinter: string | null };

/** Creates the providers that have their settings; the others are null. */
export function createProviders(
  { hotFolder, cupsPrinter }: PrintSettings,
  papers: Papers,
): Record<ProviderName, PressProvider | null> {
  return {
    manual: createManualProvider(),
    'hot-folder': hotFolder === null ? null : createHotFolderProvider(hotFolder, { awaitsResults, papers }),
    cups: cupsPrinter === null ? null : createCupsProvider(cupsPrinter),
    simulated: createSimulatedProvider(),
  };
}

/**
 * Makes what the providers need before the first batch. The hot folder is created only here: a folder that is missing
 * later is one that is not mounted. Throws an Error that says what to do.
 */
export async function prepareProviders({ hotFolder }: PrintSettings): Promise<void> {
  if (hotFolder !== null) await prepareHotFolder(hotFolder);
}

/** Returns whether the results of a batch are still read. */
async function awaitsResults(batchId: string): Promise<boolean> {
  const states = { $in: ['submitting', 'at_press', 'needs_operator'] as const };
  return (await rowsOf<BatchRecord>(Batch).findOne({ _id: batchId, state: states as never })) !== null;
}
