import { z } from 'zod';
import { eventKinds } from '#common/events/event.model.ts';
import { readAnswer } from '../api-call.ts';
import { idField, pageFields } from '../fields.schema.ts';
import { defineTool, reads } from '../tool.ts';
import { EventView, nextCursor, Page } from '../views.schema.ts';

export const listEvents = defineTool({
  name: 'list_events',
  title: 'List events',
  description:
    'Lists what happened to letters in the last 90 days, newest first: its steps, returned copies, and letters of a list that were all sent. Use it to see news since a moment, or the history of one letter.',
  annotations: reads,
  input: {
    event: z.enum(eventKinds).optional(),
    mailJobId: idField('mj', 'a letter').optional(),
    createdAfter: z.iso.datetime({ offset: true }).optional(),
    createdBefore: z.iso.datetime({ offset: true }).optional(),
    ...pageFields,
  },
  output: { events: z.array(EventView), nextCursor },

  async run(input, { call }) {
    const page = readAnswer(Page, await call('GET', '/v1/events', { query: input }));
    return { summary: `${page.data.length} events.`, data: { events: page.data, nextCursor: page.nextCursor } };
  },
});
