import { z } from 'zod';
import { aQuote, quoteRequest } from '#api/openapi/examples/letter-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { quote } from '#common/mail-jobs/create/quote.ts';
import { pricedFields, QuoteRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { amountFields } from '#common/pricing/amounts.schema.ts';

const QuoteView = z
  .object({
    ...amountFields,
    ...pricedFields,
    color: z.boolean(),
    doubleSided: z.boolean(),
    acknowledgmentReceipt: z.boolean(),
    tariffId: z.string(),
  })
  .meta({ id: 'Quote' });

export const createQuote = defineRoute({
  method: 'post',
  path: '/v1/quote',
  scope: 'read',
  operationId: 'createQuote',
  summary: 'Compute the price of a letter',
  description: 'Nothing is debited or stored. Sending a letter computes its price again in the same way.',
  body: QuoteRequest,
  responses: { 200: QuoteView },
  errors: ['PRICING_UNAVAILABLE'],
  example: { body: quoteRequest, responses: { 200: aQuote } },
  repeat: 'harmless',

  async handle({ body, now }) {
    const { amounts, tariffId } = await quote(body, now);
    const { zone, serviceType, pages, color, doubleSided, acknowledgmentReceipt } = body;
    const flags = {
      color: color ?? false,
      doubleSided: doubleSided ?? true,
      acknowledgmentReceipt: acknowledgmentReceipt ?? false,
    };
    return reply(200, { ...amounts, zone, serviceType, pages, ...flags, tariffId });
  },
});
