import { z } from 'zod';
import { readAnswer } from '../api-call.ts';
import { pricedFields } from '../fields.schema.ts';
import { defineTool, reads } from '../tool.ts';
import { amountFields } from '../views.schema.ts';

export const quoteLetter = defineTool({
  name: 'quote_letter',
  title: 'Compute a price',
  description:
    'Computes the price of a letter from its kind and number of pages, without a file or an address. Use it to compare services or to answer what a letter costs. It does not allow to send: call prepare_letter for that.',
  annotations: reads,
  input: { ...pricedFields, recipientCount: z.int().min(1).max(100).optional().describe('1 when absent.') },
  output: amountFields,

  async run(input, { call }) {
    const data = await call('POST', '/v1/quote', { body: input });
    const { totalCents, currency } = readAnswer(z.looseObject(amountFields), data);
    return { summary: `The price is ${totalCents} cents (${currency}), VAT included.`, data };
  },
});
