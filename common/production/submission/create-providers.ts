import type { ProviderName } from '#common/print-rules.ts';
import { createManualProvider } from '../providers/manual.ts';
import type { PressProvider } from '../providers/press-provider.ts';
import { createSimulatedProvider } from '../providers/simulated.ts';

export type PrintSettings = { hotFolder: string | null; cupsPrinter: string | null };

/** Creates the providers that have their settings; the others are null. */
export function createProviders(_settings: PrintSettings): Record<ProviderName, PressProvider | null> {
  return {
    manual: createManualProvider(),
    'hot-folder': null,
    cups: null,
    simulated: createSimulatedProvider(),
  };
}
