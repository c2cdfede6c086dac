import { z } from 'zod';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import { readAnswer } from '../api-call.ts';
import { line, pageFields } from '../fields.schema.ts';
import { defineTool, reads } from '../tool.ts';
import { LetterSummary, nextCursor, Page } from '../views.schema.ts';

const moment = z.iso.datetime({ offset: true }).optional();

export const listLetters = defineTool({
  name: 'list_letters',
  title: 'List letters',
  description:
    'Lists letters without their recipients, newest first. A letter must match all arguments. Use get_letter for the details of one.',
  annotations: reads,
  input: {
    status: z.enum(mailStatuses).optional(),
    externalId: line(255, 'Letters of send_letter have one that begins with mcp-.').optional(),
    createdAfter: moment,
    createdBefore: moment,
    ...pageFields,
  },
  output: { letters: z.array(LetterSummary), nextCursor },

  async run(input, { call }) {
    const page = readAnswer(Page, await call('GET', '/v1/mails', { query: input }));
    const data = { letters: page.data, nextCursor: page.nextCursor };
    return { summary: `${page.data.length} letters.`, data };
  },
});
