import type { TariffRecord } from '../../common/pricing/tariff.model.ts';
import { type LineCode, lineCodes, type TariffEntry } from '../../common/pricing/tariff.schema.ts';

/** The same VAT percentage for every component. */
export function sameVat(percent: number): Record<LineCode, number> {
  return Object.fromEntries(lineCodes.map((code) => [code, percent])) as Record<LineCode, number>;
}

/** A tariff entry as an operator writes it, without a fault. */
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

/** The same as the database holds it. */
export function aTariff(overrides: Partial<TariffEntry> = {}): TariffRecord {
  const { validFrom, ...entry } = aTariffEntry(overrides);
  return { _id: 'tar_sample', ...entry, validFrom: new Date(validFrom) };
}
