import { z } from 'zod';
import { dryRun } from '../dry-run.ts';
import { letter } from '../fields.schema.ts';
import { defineTool, reads } from '../tool.ts';
import { AddressLines, amountFields, WarningView } from '../views.schema.ts';

export const prepareLetter = defineTool({
  name: 'prepare_letter',
  title: 'Check and price a letter',
  description:
    'Checks a complete letter and computes its total. Nothing is stored, paid or sent. Returns a quoteToken, which send_letter needs: it is valid for 30 minutes and only for exactly this letter. Show the recipients and the sender of the result, the total and the mode to the user before you send. Each quoteToken sends one letter at most; prepare again only to send another one.',
  annotations: { ...reads, idempotentHint: false },
  input: { letter },
  output: {
    quoteToken: z.string().describe('For send_letter. Give it back unchanged.'),
    expiresAt: z.string(),
    ...amountFields,
    recipients: z.array(AddressLines).describe('As they will be printed.'),
    sender: AddressLines.describe('The return address as it will be printed.'),
    pages: z.int(),
    dropAt: z.string().describe('When it would be handed to the post if it were sent now.'),
    balanceSufficient: z.boolean().describe('false: the wallet must be topped up first.'),
    warnings: z.array(WarningView),
  },

  async run({ letter: given }, { call, quotes }) {
    const { receipt, references } = await dryRun(given, call);
    const { amounts, recipients, sender, pages, dropAt, balanceSufficient, warnings } = receipt;
    const { quoteToken, expiresAt } = quotes.issue({ letter: given, references, totalCents: amounts.totalCents });
    const { totalCents, netCents, vatCents, currency, recipientCount } = amounts;
    const price = { totalCents, netCents, vatCents, currency, recipientCount };
    return {
      summary: `Nothing is sent yet. The total is ${totalCents} cents (${currency}). Ask the user before send_letter.`,
      data: {
        ...{ quoteToken, expiresAt: expiresAt.toISOString(), ...price },
        ...{ recipients, sender, pages, dropAt, balanceSufficient, warnings },
      },
    };
  },
});
