import type { TariffRecord } from '#common/pricing/tariff.model.ts';
import { type LineCode, lineCodes, type TariffEntry } from '#common/pricing/tariff.schema.ts';

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

/** Returns an address of a request. */
export function aRequestAddress(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE', ...overrides };
}

/** Returns a valid body of POST /v1/mails without optional fields. */
export function aMailRequest(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    zone: 'NATIONAL',
    serviceType: 'standard',
    pages: 1,
    recipients: [aRequestAddress()],
    files: [{ s3Key: 'u/org_1/abc' }],
    ...overrides,
  };
}
