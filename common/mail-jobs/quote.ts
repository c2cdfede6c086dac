import { findTariff } from '../pricing/find-tariff.ts';
import { type Amounts, priceLetter } from '../pricing/price-letter.ts';
import type { MailRequest, QuoteRequest } from './mail-request.schema.ts';

export type Quote = { amounts: Amounts; tariffId: string };

/** The price of a letter at `at`, for a quote and for a mail job. Throws PRICING_UNAVAILABLE without a tariff. */
export async function quote(request: QuoteRequest | MailRequest, at: Date): Promise<Quote> {
  const { zone, serviceType, pages } = request;
  const tariff = await findTariff(zone, serviceType, at);
  const recipientCount = 'recipients' in request ? request.recipients.length : (request.recipientCount ?? 1);
  const amounts = priceLetter(
    {
      pages,
      color: request.color ?? false,
      hasAcknowledgmentReceipt: request.acknowledgmentReceipt ?? false,
      recipientCount,
    },
    tariff,
  );
  return { amounts, tariffId: tariff._id };
}
