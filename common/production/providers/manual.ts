import type { PressProvider } from './press-provider.ts';

/** Creates the provider whose press is an operator: a closed batch waits until they report it as printed. */
export function createManualProvider(): PressProvider {
  return {
    prepare: async () => async () => {},
    async locate() {
      return 'taken';
    },
    needsPrintParts: true,
  };
}
