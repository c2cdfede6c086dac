import { z } from 'zod';
import { type ApiCall, readAnswer } from '../api-call.ts';
import { type DryRun, dryRun } from '../dry-run.ts';
import { type Letter, letter, line } from '../fields.schema.ts';
import type { Quote } from '../quote-tokens.ts';
import { defineTool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { letterFields, Page, WarningView } from '../views.schema.ts';

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
    maxTotalCents: z
      .int()
      .min(0)
      .max(100_000_000)
      .describe('The highest total that the user accepted, in cents. Never more than the quoted total is paid.'),
  },
  output,

  async run({ letter: given, quoteToken, maxTotalCents }, { call, quotes }) {
    const quote = quotes.read(quoteToken, given);
    const checked = await checkQuote(quote, given, call);
    const body = { ...given, externalId: quote.externalId, maxTotalCents: Math.min(maxTotalCents, quote.totalCents) };
    const data =
      checked instanceof ToolError
        ? await findSent(quote, call)
        : await call('POST', '/v1/mails', { body: { ...body, files: checked.files } });
    if (checked instanceof ToolError && data === null) throw checked;
    const { duplicate, totalCents, status } = readAnswer(z.looseObject(output), data);
    const summary = duplicate
      ? `The letter was sent before, for ${totalCents} cents; its status is ${status}. Nothing was sent or paid again.`
      : `The letter is accepted and paid: ${totalCents} cents.`;
    return { summary, data };
  },
});

/**
 * Returns the files of the letter as they were quoted, or why the quote allows to send no longer. Another dry run tells
 * whether a file, an address, the default sender or the template was changed since.
 */
async function checkQuote(quote: Quote, given: Letter, call: ApiCall): Promise<Pick<DryRun, 'files'> | ToolError> {
  const sentBefore = `If the letter was sent, its externalId is ${quote.externalId}.`;
  if (quote.isExpired) return new ToolError('QUOTE_EXPIRED', `The quoteToken is older than 30 minutes. ${sentBefore}`);
  try {
    const { references, files } = await dryRun(given, call);
    if (quote.isFor(references)) return { files };
    const message = `A file, an address or the template was changed since the letter was prepared. ${sentBefore}`;
    return new ToolError('QUOTE_MISMATCH', message);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

/**
 * Returns the letter that the quote has sent already; null when there is none. A repeat must find it even if the quote
 * has expired since, or an address was changed: otherwise an agent would prepare and send the letter again.
 */
async function findSent({ externalId }: Quote, call: ApiCall): Promise<unknown> {
  try {
    const { data } = readAnswer(Page, await call('GET', '/v1/mails', { query: { externalId, limit: 1 } }));
    const [found] = data;
    if (!found) return null;
    const sent = await call('GET', `/v1/mails/${encodeURIComponent(String(found.mailJobId))}`);
    return { warnings: [], ...(sent as object), duplicate: true };
  } catch (error) {
    // A credential without the scope `read` may send and not look; the refusal names the externalId.
    if (error instanceof ToolError && error.code === 'FORBIDDEN') return null;
    throw error;
  }
}
