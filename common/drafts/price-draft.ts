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
  /** Absent: on both sides. */
  doubleSided?: boolean | undefined;
  acknowledgmentReceipt: boolean;
};

/** Prices in cents with VAT, of all recipients together. Null: the operator has no tariff for it. */
export type DraftPrices = {
  /** The whole letter by each service, with the other choices as they are. */
  services: Record<ServiceType, number | null>;
  /** What colour adds. */
  colorCents: number | null;
  /** What printing on one side only adds. */
  oneSideCents: number | null;
  /** What an acknowledgment of receipt adds to a registered letter. */
  receiptCents: number | null;
  /** Of the letter as it is chosen. */
  amounts: Amounts | null;
};

/** Returns the prices of a draft and of the other choices, at `at`. The same code prices the letter when it is sent. */
export async function priceDraft(draft: PricedDraft, at: Date): Promise<DraftPrices> {
  const totalOf = async (changes: Partial<PricedDraft>) => (await priceOf({ ...draft, ...changes }, at))?.totalCents;
  const added = async (by: Partial<PricedDraft>, to: Partial<PricedDraft>) => {
    const [more, less] = await Promise.all([totalOf(by), totalOf(to)]);
    return more === undefined || less === undefined ? null : more - less;
  };
  const registered = { serviceType: 'registered' } as const;
  const [amounts, colorCents, oneSideCents, receiptCents, ...services] = await Promise.all([
    priceOf(draft, at),
    added({ color: true }, { color: false }),
    added({ doubleSided: false }, { doubleSided: true }),
    added({ ...registered, acknowledgmentReceipt: true }, { ...registered, acknowledgmentReceipt: false }),
    ...serviceTypes.map((serviceType) => totalOf({ serviceType })),
  ]);
  const byService = serviceTypes.map((serviceType, index) => [serviceType, services[index] ?? null] as const);
  return {
    services: Object.fromEntries(byService) as Record<ServiceType, number | null>,
    ...{ colorCents, oneSideCents, receiptCents, amounts },
  };
}

async function priceOf(draft: PricedDraft, at: Date): Promise<Amounts | null> {
  try {
    const { zone, pages, recipientCount, serviceType, color, doubleSided, acknowledgmentReceipt } = draft;
    const options = { serviceType, color, doubleSided, acknowledgmentReceipt };
    return (await quote({ zone, pages, recipientCount, ...options }, at)).amounts;
  } catch (error) {
    if (hasCode(error, 'PRICING_UNAVAILABLE')) return null;
    throw error;
  }
}
