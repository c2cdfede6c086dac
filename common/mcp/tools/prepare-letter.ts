import { z } from 'zod';
import { dryRun } from '../dry-run.ts';
import { letter } from '../fields.schema.ts';
import { defineTool, reads } from '../tool.ts';
import { amountFields, WarningView } from '../views.schema.ts';

export const prepareLetter = defineTool({
  name: 'prepare_letter',
  title: 'Check and price a letter',
  description:
    'Checks a complete letter and computes its total. Nothing is stored, paid or sent. Returns a quoteToken, which send_letter needs: it is valid for 30 minutes and only for exactly this letter. Show the recipients, the total and the mode to the user before you send. Each quoteToken sends one letter at most; prepare again only to send another one.',
  annotations: { ...reads, idempotentHint: false },
  input: { letter },
  output: {
    quoteToken: z.string().describe('For send_letter. Give it back unchanged.'),
    expiresAt: z.string(),
    ...amountFields,
    pages: z.int(),
    dropAt: z.string().describe('When it would be handed to the post if it were sent now.'),
    balanceSufficient: z.boolean().describe('false: the wallet must be topped up first.'),
    warnings: z.array(WarningView),
  },

  async run({ letter: given }, { call, quotes }) {
    const { receipt, payload } = await dryRun(given, call);
    const { quoteToken, expiresAt } = quotes.issue(payload);
    const { amounts, pages, dropAt, balanceSufficient, warnings } = receipt;
    const { totalCents, netCents, vatCents, currency, recipientCount } = amounts;
    const price = { totalCents, netCents, vatCents, currency, recipientCount };
    return {
      summary: `Nothing is sent yet. The total is ${totalCents} cents (${currency}). Ask the user before send_letter.`,
      data: { quoteToken, expiresAt: expiresAt.toISOString(), ...price, pages, dropAt, balanceSufficient, warnings },
    };
  },
});
