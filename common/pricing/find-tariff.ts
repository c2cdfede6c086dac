import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { Tariff, type TariffRecord } from './tariff.model.ts';
import type { ServiceType, Zone } from './tariff.schema.ts';

/** A new tariff takes effect at its instant in every process after at most this long. */
const cacheTtlMs = 5_000;

const cache = new LRUCache<string, TariffRecord[]>({ max: 100, ttl: cacheTtlMs });

/** The tariff in force at `at`. Throws PRICING_UNAVAILABLE when there is none. */
export async function findTariff(zone: Zone, serviceType: ServiceType, at: Date): Promise<TariffRecord> {
  const key = `${zone}:${serviceType}`;
  const tariffs = cache.get(key) ?? (await readTariffs(zone, serviceType));
  // An empty list is not remembered: an operator who has just imported the first tariff should not have to wait.
  if (tariffs.length > 0) cache.set(key, tariffs, { noUpdateTTL: true });
  const tariff = tariffs.find(({ validFrom }) => validFrom <= at);
  if (!tariff) throw new AppError('PRICING_UNAVAILABLE');

  return tariff;
}

/** All tariffs of a kind, the latest first: few, since each is a change of prices. */
async function readTariffs(zone: Zone, serviceType: ServiceType): Promise<TariffRecord[]> {
  return await Tariff.find({ zone, serviceType }).sort({ validFrom: -1 }).lean<TariffRecord[]>();
}

/** Forgets what was read, for the process that has just changed a tariff. */
export function forgetTariffs(): void {
  cache.clear();
}
