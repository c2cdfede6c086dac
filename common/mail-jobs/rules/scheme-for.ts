import type { EnvelopeWindow } from '#common/config/variables.ts';
import type { SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import type { ServiceType } from '#common/services.ts';

/** Returns the envelope of a letter: registered letters have one of their own. */
export function schemeFor(serviceType: ServiceType, window: EnvelopeWindow): SchemeName {
  return serviceType === 'registered' ? 'registered' : `window-${window}`;
}
