import { findTariff } from '#common/pricing/find-tariff.ts';
import { type Amounts, priceLetter } from '#common/pricing/price-letter.ts';
import type { QuoteRequest, ReadyMailRequest } from '../model/mail-request.schema.ts';

export type Quote = { amounts: Amounts; tariffId: string };

/** Returns the price of a quote or mail job at time `at`. Throws PRICING_UNAVAILABLE without a tariff. */
export async function quote(request: QuoteRequest | ReadyMailRequest, at: Date): Promise<Quote> {
  const { zone, serviceType, pages } = request;
  const tariff = await findTariff(zone, serviceType, at);
  const recipientCount = 'recipients' in request ? request.recipients.length : (request.recipientCount ?? 1);
  const amounts = priceLetter(
    {
      pages,
      color: request.color ?? false,
      doubleSided: request.doubleSided,
      hasAcknowledgmentReceipt: request.acknowledgmentReceipt ?? false,
      recipientCount,
    },
    tariff,
  );
  return { amounts, tariffId: tariff._id };
}
