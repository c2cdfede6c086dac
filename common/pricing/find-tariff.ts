import { AppError } from '../errors.ts';
import { Tariff, type TariffRecord } from './tariff.model.ts';
import type { ServiceType, Zone } from './tariff.schema.ts';

/**
 * What an operator imports or removes counts in every process after at most this long. A tariff that is known takes
 * effect at its very instant: past and future ones are remembered together, and the moment of a letter chooses.
 */
const rememberedMs = 5_000;

type Remembered = { readAt: Date; tariffs: Promise<TariffRecord[]> };

/** One for each zone and service, so six at most. */
const remembered = new Map<string, Remembered>();

/** The tariff in force at `at`, the present. Throws PRICING_UNAVAILABLE when there is none. */
export async function findTariff(zone: Zone, serviceType: ServiceType, at: Date): Promise<TariffRecord> {
  const tariffs = await recallTariffs(zone, serviceType, at);
  const tariff = tariffs.find(({ validFrom }) => validFrom <= at);
  if (!tariff) throw new AppError('PRICING_UNAVAILABLE');

  return tariff;
}

/** Those who ask while they are being read share that one query. */
async function recallTariffs(zone: Zone, serviceType: ServiceType, at: Date): Promise<TariffRecord[]> {
  const name = `${zone}:${serviceType}`;
  const known = remembered.get(name);
  if (known && Math.abs(at.getTime() - known.readAt.getTime()) < rememberedMs) return await known.tariffs;
  const reading: Remembered = { readAt: at, tariffs: readTariffs(zone, serviceType) };
  remembered.set(name, reading);
  const forget = () => {
    if (remembered.get(name) === reading) remembered.delete(name);
  };
  try {
    const tariffs = await reading.tariffs;
    // An operator who has just imported the first tariff should not have to wait.
    if (tariffs.length === 0) forget();
    return tariffs;
  } catch (error) {
    forget();
    throw error;
  }
}

/** All tariffs of a kind, the latest first: few, since each is a change of prices. */
async function readTariffs(zone: Zone, serviceType: ServiceType): Promise<TariffRecord[]> {
  return await Tariff.find({ zone, serviceType }).sort({ validFrom: -1 }).lean<TariffRecord[]>();
}

/** Forgets what was read, for the process that has just changed a tariff. */
export function forgetTariffs(): void {
  remembered.clear();
}
