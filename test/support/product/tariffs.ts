import type { TariffRecord } from '#common/pricing/tariff.model.ts';
import { type LineCode, lineCodes, type TariffEntry } from '#common/pricing/tariff.schema.ts';
import { serviceTypes, zones } from '#common/services.ts';

/** Returns the same VAT percentage for every component. */
export function sameVat(percent: number): Record<LineCode, number> {
  return Object.fromEntries(lineCodes.map((code) => [code, percent])) as Record<LineCode, number>;
}

/** Returns a valid tariff entry in the import format. */
export function aTariffEntry(overrides: Partial<TariffEntry> = {}): TariffEntry {
  return {
    zone: 'NATIONAL',
    serviceType: 'standard',
    validFrom: '2026-01-01T00:00:00+01:00',
    vatPercent: sameVat(21),
    handlingCents: 40,
    pageCents: 26,
    colorPageCents: 30,
    registeredCents: 700,
    acknowledgmentReceiptCents: 150,
    envelopeGrams: 5,
    postage: [
      { upToGrams: 50, cents: 123 },
      { upToGrams: 100, cents: 246 },
      { upToGrams: 350, cents: 369 },
      { upToGrams: 2_000, cents: 492 },
    ],
    ...overrides,
  };
}

/** Returns the same tariff as stored in the database. */
export function aTariff(overrides: Partial<TariffEntry> = {}): TariffRecord {
  const { validFrom, ...entry } = aTariffEntry(overrides);
  return { _id: 'tar_sample', ...entry, validFrom: new Date(validFrom) };
}

const vatPercent = { HANDLING: 21, PRINT: 21, COLOR: 21, POSTAGE: 0, REGISTERED: 0, ACKNOWLEDGMENT_RECEIPT: 21 };

/** One tariff per zone and service, all with the same prices, valid since 2020. */
export const exampleTariffs = zones.flatMap((zone) =>
  serviceTypes.map((serviceType) => ({
    zone,
    serviceType,
    validFrom: '2020-01-01T00:00:00.000Z',
    vatPercent,
    handlingCents: 40,
    pageCents: 8,
    colorPageCents: 12,
    registeredCents: 733,
    acknowledgmentReceiptCents: 164,
    envelopeGrams: 5,
    postage: [
      { upToGrams: 50, cents: 163 },
      { upToGrams: 100, cents: 326 },
      { upToGrams: 350, cents: 489 },
      { upToGrams: 2_000, cents: 652 },
    ],
  })),
);
