import { z } from 'zod';
import { readAnswer } from '../api-call.ts';
import { idField, line } from '../fields.schema.ts';
import { defineTool } from '../tool.ts';
import { letterFields } from '../views.schema.ts';

export const cancelLetter = defineTool({
  name: 'cancel_letter',
  title: 'Cancel a letter',
  description:
    'Cancels a letter for all its recipients and refunds it in full. Possible until the cancellableUntil of get_letter. It cannot be undone: the letter must be sent anew. Ask the user first. A repeat changes nothing.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    mailJobId: idField('mj', 'the letter'),
    reason: line(255, 'Why, for the history of the letter.').optional(),
  },
  output: letterFields,

  async run({ mailJobId, reason }, { call }) {
    const data = await call('POST', `/v1/mails/${encodeURIComponent(mailJobId)}/cancel`, { body: { reason } });
    const { refundedCents } = readAnswer(z.looseObject(letterFields), data);
    return { summary: `The letter is cancelled; ${refundedCents} cents were refunded.`, data };
  },
});
