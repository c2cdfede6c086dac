import { z } from 'zod';
import { readAnswer } from '../api-call.ts';
import { idField } from '../fields.schema.ts';
import { defineTool } from '../tool.ts';

const output = { mailJobId: z.string(), previousStatus: z.string(), status: z.string() };

export const simulateLetter = defineTool({
  name: 'simulate_letter',
  title: 'Advance a test letter',
  description:
    'Test mode only: moves a letter one step along queued, printed, posted, delivered, or directly to a later status, as if it had happened. Its event is sent to webhooks. Use it to try an integration.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  mode: 'test',
  input: {
    mailJobId: idField('mj', 'the letter'),
    to: z.enum(['printed', 'posted', 'delivered', 'failed']).optional().describe('The next status when absent.'),
  },
  output,

  async run({ mailJobId, to }, { call }) {
    const data = await call('POST', `/v1/mails/${encodeURIComponent(mailJobId)}/simulate`, { body: { to } });
    const { previousStatus, status } = readAnswer(z.looseObject(output), data);
    return { summary: `The letter went from ${previousStatus} to ${status}.`, data };
  },
});
