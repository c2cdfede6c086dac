import type { ServiceType, Zone } from '#common/services.ts';
import { plusMs } from '../clock.ts';
import { AppError } from '../errors.ts';
import { createCachedReads } from '../platform/concurrency/cached-reads.ts';
import { Tariff, type TariffRecord } from './tariff.model.ts';

/**
 * How long a process caches tariffs, and so how late an import or removal takes effect. A tariff still takes effect at
 * its exact instant: the cache also holds those that start within this time, and each letter's time selects one.
 */
const cacheTtlMs = 5_000;
/** Cached tariffs of one zone and service. Exceeding this takes that many starting within ten seconds. */
const maxCached = 100;

const cache = createCachedReads<TariffRecord[]>({
  maxAgeMs: cacheTtlMs,
  // An empty result is not cached, so the first imported tariff takes effect immediately.
  keepMs: ({ length }) => (length === 0 ? 0 : cacheTtlMs),
});

/** Returns the tariff in force at `at`, the current time. Throws PRICING_UNAVAILABLE if there is none. */
export async function findTariff(zone: Zone, serviceType: ServiceType, at: Date): Promise<TariffRecord> {
  const read = () => readTariffs(zone, serviceType, at);
  const tariffs = await cache.get(`${zone} ${serviceType}`, read, { nowMs: at.getTime() });
  const tariff = tariffs.find(({ validFrom }) => validFrom <= at);
  if (!tariff) throw new AppError('PRICING_UNAVAILABLE');

  return tariff;
}

/** Returns the tariffs that have started or start within the cache time, latest first. */
async function readTariffs(zone: Zone, serviceType: ServiceType, at: Date): Promise<TariffRecord[]> {
  return await Tariff.find({ zone, serviceType, validFrom: { $lt: plusMs(at, cacheTtlMs) } })
    .sort({ validFrom: -1 })
    .limit(maxCached)
    .lean<TariffRecord[]>();
}

/** Clears this process's cache after a change to the tariffs. */
export function clearTariffCache(): void {
  cache.clear();
}
