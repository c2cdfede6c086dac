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
const example = '15:00,registered=14:30';

/**
 * Parses the entries of CUTOFF_TIMES: `HH:MM` for all services, and `service=HH:MM` for one. Returns the time of each
 * service. Without an entry for all services, those that are not named have 15:00.
 */
export const CutoffTimes = z.array(z.string()).transform((entries, { issues }): CutoffRules['timeOf'] => {
  const report = (message: string) => issues.push({ code: 'custom', input: entries, message });
  const times = new Map<string | null, string>();
  for (const entry of entries) {
    const [service, time] = splitEntry(entry);
    if (!timePattern.test(time)) report(`each time must be HH:MM from 00:00 to 23:59, as in ${example}`);
    if (service !== null && !isServiceType(service)) {
      report(`each exception must name one of ${serviceTypes.join(', ')}, as in ${example}`);
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
