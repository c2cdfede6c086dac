import { z } from 'zod';
import { amountFields } from '../../common/mail-jobs/mail-job.view.ts';
import { letterFields, QuoteRequest } from '../../common/mail-jobs/mail-request.schema.ts';
import { quote } from '../../common/mail-jobs/quote.ts';
import { aQuote, quoteRequest } from '../examples.ts';
import { defineRoute, reply } from '../route.ts';

const QuoteView = z
  .object({
    ...amountFields,
    ...letterFields,
    color: z.boolean(),
    acknowledgmentReceipt: z.boolean(),
    tariffId: z.string(),
  })
  .meta({ id: 'Quote' });

/** The price of a letter, without sending it. */
export const createQuote = defineRoute({
  method: 'post',
  path: '/v1/quote',
  scope: 'read',
  operationId: 'createQuote',
  summary: 'Compute the price of a letter',
  description: 'Nothing is debited or stored. Sending computes the price anew, in the same way.',
  body: QuoteRequest,
  responses: { 200: QuoteView },
  errors: ['PRICING_UNAVAILABLE'],
  example: { body: quoteRequest, responses: { 200: aQuote } },

  async handle({ body, now }) {
    const { amounts, tariffId } = await quote(body, now);
    const { zone, serviceType, pages, color, acknowledgmentReceipt } = body;
    const flags = { color: color ?? false, acknowledgmentReceipt: acknowledgmentReceipt ?? false };
    return reply(200, { ...amounts, zone, serviceType, pages, ...flags, tariffId });
  },
});
