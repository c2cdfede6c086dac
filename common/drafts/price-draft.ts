import { hasCode } from '../errors.ts';
import { quote } from '../mail-jobs/create/quote.ts';
import type { Amounts } from '../pricing/price-letter.ts';
import { type ServiceType, serviceTypes, type Zone } from '../services.ts';

/** The letter that prices are computed for. */
export type PricedDraft = {
  zone: Zone;
  pages: number;
  recipientCount: number;
  serviceType: ServiceType;
  color: boolean;
  acknowledgmentReceipt: boolean;
};

/** Prices in cents with VAT, of all recipients together. Null: the operator has no tariff for it. */
export type DraftPrices = {
  /** The whole letter by each service, with the other choices as they are. */
  services: Record<ServiceType, number | null>;
  /** What colour adds. */
  colorCents: number | null;
  /** What an acknowledgment of receipt adds to a registered letter. */
  receiptCents: number | null;
  /** Of the letter as it is chosen. */
  amounts: Amounts | null;
};

/** Returns the prices of a draft and of the other choices, at `at`. The same code prices the letter when it is sent. */
export async function priceDraft(draft: PricedDraft, at: Date): Promise<DraftPrices> {
  const totalOf = async (changes: Partial<PricedDraft>) => (await priceOf({ ...draft, ...changes }, at))?.totalCents;
  const difference = async (field: 'color' | 'acknowledgmentReceipt', changes: Partial<PricedDraft> = {}) => {
    const [more, less] = await Promise.all([
      totalOf({ ...changes, [field]: true }),
      totalOf({ ...changes, [field]: false }),
    ]);
    return more === undefined || less === undefined ? null : more - less;
  };
  const [amounts, colorCents, receiptCents, ...services] = await Promise.all([
    priceOf(draft, at),
    difference('color'),
    difference('acknowledgmentReceipt', { serviceType: 'registered' }),
    ...serviceTypes.map((serviceType) => totalOf({ serviceType })),
  ]);
  const byService = serviceTypes.map((serviceType, index) => [serviceType, services[index] ?? null] as const);
  return {
    services: Object.fromEntries(byService) as Record<ServiceType, number | null>,
    ...{ colorCents, receiptCents, amounts },
  };
}

async function priceOf(draft: PricedDraft, at: Date): Promise<Amounts | null> {
  try {
    const { zone, pages, recipientCount, serviceType, color, acknowledgmentReceipt } = draft;
    return (await quote({ zone, pages, recipientCount, serviceType, color, acknowledgmentReceipt }, at)).amounts;
  } catch (error) {
    if (hasCode(error, 'PRICING_UNAVAILABLE')) return null;
    throw error;
  }
}
