import { z } from 'zod';
import { type ServiceType, serviceTypes } from './cutoffs.ts';

/** The zones of the post. Listed here and not in `pricing`, because the configuration names a provider for each. */
export const zones = ['NATIONAL', 'INTERNATIONAL'] as const;
export type Zone = (typeof zones)[number];

/**
 * Who prints. `manual`: an operator downloads the print files. `hot-folder`: a folder that a print system watches.
 * `cups`: a printer over IPP. `simulated`: nobody, but all steps are reported.
 */
export const providerNames = ['manual', 'hot-folder', 'cups', 'simulated'] as const;
export type ProviderName = (typeof providerNames)[number];

/** Which provider prints which live letters. Null: any zone, any service. The first rule that fits decides. */
export type PrintRule = { zone: Zone | null; serviceType: ServiceType | null; provider: ProviderName | 'none' };

const pattern =
  /^(?:(?<zone>\*|NATIONAL|INTERNATIONAL)\/(?<service>\*|standard|prior|registered)=)?(?<provider>[a-z-]+)$/;
const example = 'NATIONAL/registered=manual,*/standard=hot-folder,none';

/**
 * Parses the entries of PRINT_PROVIDERS: `zone/service=provider` with `*` for any, or a provider alone for all letters.
 * Letters that no entry fits are printed by nobody, and stay queued.
 */
export const PrintRules = z.array(z.string()).transform((entries, { issues }): PrintRule[] => {
  return entries.flatMap((entry) => {
    const { zone, service, provider } = pattern.exec(entry)?.groups ?? {};
    const known = [...providerNames, 'none' as const].find((name) => name === provider);
    if (known) {
      return {
        zone: zones.find((name) => name === zone) ?? null,
        serviceType: serviceTypes.find((name) => name === service) ?? null,
        provider: known,
      };
    }
    const message = `each entry must be zone/service=provider or a provider (${[...providerNames, 'none'].join(', ')}), as in ${example}`;
    issues.push({ code: 'custom', input: entries, message });
    return [];
  });
});

/** Returns the provider for a letter; null when nobody prints it. */
export function findProvider(
  { zone, serviceType }: { zone: Zone; serviceType: ServiceType },
  rules: readonly PrintRule[],
): ProviderName | null {
  const rule = rules.find((each) => (each.zone ?? zone) === zone && (each.serviceType ?? serviceType) === serviceType);
  return rule === undefined || rule.provider === 'none' ? null : rule.provider;
}
