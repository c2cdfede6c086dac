import { z } from 'zod';
import { readAnswer } from '../api-call.ts';
import { defineTool, reads } from '../tool.ts';

const output = { balanceCents: z.int(), currency: z.string(), isLow: z.boolean(), updatedAt: z.string() };

export const getWallet = defineTool({
  name: 'get_wallet',
  title: 'Read the balance',
  description:
    'Reads the balance of the prepaid wallet in cents. Letters are paid from it when they are sent. Only people can top it up, in the account area.',
  annotations: reads,
  input: {},
  output,

  async run(_input, { call }) {
    const data = await call('GET', '/v1/wallet');
    const { balanceCents, currency } = readAnswer(z.looseObject(output), data);
    return { summary: `The balance is ${balanceCents} cents (${currency}).`, data };
  },
});
