import { z } from 'zod';
import { serviceTypes, zones } from '#common/services.ts';

/** The components of a price. Each has its own VAT rate. */
export const lineCodes = ['HANDLING', 'PRINT', 'COLOR', 'POSTAGE', 'REGISTERED', 'ACKNOWLEDGMENT_RECEIPT'] as const;
export type LineCode = (typeof lineCodes)[number];

const cents = z.int().min(0).max(1_000_000);
const grams = z.int().min(1).max(100_000);
/** At most two decimals, so VAT rates are whole basis points. */
const percent = z.number().min(0).max(100).multipleOf(0.01);

/**
 * Postage brackets by weight, lightest first. A separate schema, so its faults are reported together with those of
 * other fields.
 */
const Postage = z
  .array(z.strictObject({ upToGrams: grams, cents }))
  .min(1)
  .max(50)
  .check(({ value, issues }) => {
    for (const [index, bracket] of value.entries()) {
      const before = value[index - 1];
      const report = (field: keyof typeof bracket, message: string) =>
        issues.push({ code: 'custom', input: bracket[field], path: [index, field], message });
      if (before && bracket.upToGrams <= before.upToGrams) report('upToGrams', 'must be above the bracket before');
      if (before && bracket.cents < before.cents) report('cents', 'must not be below the bracket before');
    }
  });

/** One entry of a tariff file. */
export const TariffEntry = z
  .strictObject({
    zone: z.enum(zones),
    serviceType: z.enum(serviceTypes),
    validFrom: z.iso.datetime({ offset: true }),
    vatPercent: z.strictObject(
      Object.fromEntries(lineCodes.map((code) => [code, percent])) as Record<LineCode, typeof percent>,
    ),
    handlingCents: cents,
    pageCents: cents,
    colorPageCents: cents,
    registeredCents: cents,
    acknowledgmentReceiptCents: cents,
    envelopeGrams: grams,
    postage: Postage,
  })
  .check(({ value: { postage, envelopeGrams }, issues }) => {
    const heaviest = postage.at(-1)?.upToGrams ?? 0;
    const leastGrams = envelopeGrams + sheetGrams;
    if (heaviest >= leastGrams) return;
    const message = `the last bracket must carry at least the envelope and one sheet (${leastGrams} g)`;
    issues.push({ code: 'custom', input: heaviest, path: ['postage'], message });
  });

export type TariffEntry = z.infer<typeof TariffEntry>;

/** One A4 sheet of 80 g/m2, rounded up from 4.99 g. */
export const sheetGrams = 5;
