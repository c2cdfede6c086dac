import { z } from 'zod';
import { readAnswer } from '../api-call.ts';
import { dryRun, payloadWithoutReferences } from '../dry-run.ts';
import { letter, line } from '../fields.schema.ts';
import { defineTool } from '../tool.ts';
import { letterFields, WarningView } from '../views.schema.ts';

const output = {
  ...letterFields,
  duplicate: z.boolean().describe('true: this quoteToken had sent the letter already; nothing was sent or paid again.'),
  warnings: z.array(WarningView),
};

export const sendLetter = defineTool({
  name: 'send_letter',
  title: 'Send a letter',
  description:
    'Sends a prepared letter and debits the wallet. In live mode it costs real money and is printed and posted. Call it only after the user has agreed to the recipients and the total. Give the letter exactly as it was given to prepare_letter, its quoteToken, and the total that the user accepted. A repeat with the same quoteToken never sends or pays twice, so repeat the same call after an error without an answer. get_letter shows the progress.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: {
    letter,
    quoteToken: line(300, 'From prepare_letter, for the same letter.'),
    maxTotalCents: z.int().min(0).max(100_000_000).describe('The highest total that the user accepted, in cents.'),
  },
  output,

  async run({ letter: given, quoteToken, maxTotalCents }, { call, quotes }) {
    const payload = payloadWithoutReferences(given) ?? (await dryRun(given, call)).payload;
    const { externalId } = quotes.redeem(quoteToken, payload);
    const data = await call('POST', '/v1/mails', { body: { ...given, externalId, maxTotalCents } });
    const { duplicate, totalCents, status } = readAnswer(z.looseObject(output), data);
    const summary = duplicate
      ? `The letter was sent before, for ${totalCents} cents; its status is ${status}. Nothing was sent or paid again.`
      : `The letter is accepted and paid: ${totalCents} cents.`;
    return { summary, data };
  },
});
