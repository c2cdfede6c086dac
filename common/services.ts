import { z } from 'zod';

/** The services of the post. Listed here and not in `pricing`, because the configuration names a cutoff for each. */
export const serviceTypes = ['standard', 'prior', 'registered'] as const;
export type ServiceType = (typeof serviceTypes)[number];

/** When letters must be at the post office, and how long before that their batch closes. */
export type CutoffRules = {
  /** The wall-clock time in Brussels on working days: `HH:MM`, 00:00 to 23:59. */
  timeOf: Readonly<Record<ServiceType, string>>;
  /** Whole minutes of elapsed time from the closing of a batch to its cutoff, 0 to 1440. */
  leadMinutes: number;
};

const defaultTime = '15:00';
const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;
const exampleTimes = '15:00,registered=14:30';

/**
 * Parses the entries of CUTOFF_TIMES: `HH:MM` for all services, and `service=HH:MM` for one. Returns the time of each
 * service. Without an entry for all services, those that are not named have 15:00.
 */
export const CutoffTimes = z.array(z.string()).transform((entries, { issues }): CutoffRules['timeOf'] => {
  const report = (message: string) => issues.push({ code: 'custom', input: entries, message });
  const times = new Map<string | null, string>();
  for (const entry of entries) {
    const [service, time] = splitEntry(entry);
    if (!timePattern.test(time)) report(`each time must be HH:MM from 00:00 to 23:59, as in ${exampleTimes}`);
    if (service !== null && !isServiceType(service)) {
      report(`each exception must name one of ${serviceTypes.join(', ')}, as in ${exampleTimes}`);
    }
    if (times.has(service)) report('must have at most one time without a service, and one for each service');
    times.set(service, time);
  }
  const timeFor = (service: ServiceType) => times.get(service) ?? times.get(null) ?? defaultTime;
  return { standard: timeFor('standard'), prior: timeFor('prior'), registered: timeFor('registered') };
});

function splitEntry(entry: string): [service: string | null, time: string] {
  const at = entry.indexOf('=');
  return at < 0 ? [null, entry] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
}

function isServiceType(text: string): text is ServiceType {
  return (serviceTypes as readonly string[]).includes(text);
}

/** The zones of the post. Listed here and not in `pricing`, because the configuration names a provider for each. */
export const zones = ['NATIONAL', 'INTERNATIONAL'] as const;
export type Zone = (typeof zones)[number];

/** Returns the sheets of paper for these pages, which are printed on both sides unless `doubleSided` is false. */
export function countSheets(pages: number, { doubleSided }: { doubleSided?: boolean | null | undefined }): number {
  return doubleSided === false ? pages : Math.ceil(pages / 2);
}

/**
 * Who prints. `manual`: an operator downloads the print parts. `hot-folder`: a folder that a print system watches.
 * `cups`: a printer over IPP. `simulated`: prints nothing and reports every step.
 */
export const providerNames = ['manual', 'hot-folder', 'cups', 'simulated'] as const;
export type ProviderName = (typeof providerNames)[number];

/** Which provider prints which live letters. Null: any zone, any service. The first rule that fits decides. */
export type PrintRule = { zone: Zone | null; serviceType: ServiceType | null; provider: ProviderName | 'none' };

const rulePattern =
  /^(?:(?<zone>\*|NATIONAL|INTERNATIONAL)\/(?<service>\*|standard|prior|registered)=)?(?<provider>[a-z-]+)$/;
const exampleRules = 'NATIONAL/registered=manual,*/standard=hot-folder,none';

/**
 * Parses the entries of PRINT_PROVIDERS: `zone/service=provider` with `*` for any, or a provider alone for all letters.
 * Letters that no entry fits stay queued.
 */
export const PrintRules = z.array(z.string()).transform((entries, { issues }): PrintRule[] => {
  return entries.flatMap((entry) => {
    const { zone, service, provider } = rulePattern.exec(entry)?.groups ?? {};
    const known = [...providerNames, 'none' as const].find((name) => name === provider);
    if (known) {
      return {
        zone: zones.find((name) => name === zone) ?? null,
        serviceType: serviceTypes.find((name) => name === service) ?? null,
        provider: known,
      };
    }
    const message = `each entry must be zone/service=provider or a provider (${[...providerNames, 'none'].join(', ')}), as in ${exampleRules}`;
    issues.push({ code: 'custom', input: entries, message });
    return [];
  });
});

/** Returns the provider for a letter; null when it stays queued. */
export function findProvider(
  { zone, serviceType }: { zone: Zone; serviceType: ServiceType },
  rules: readonly PrintRule[],
): ProviderName | null {
  const rule = rules.find((each) => (each.zone ?? zone) === zone && (each.serviceType ?? serviceType) === serviceType);
  return rule === undefined || rule.provider === 'none' ? null : rule.provider;
}
