import { z } from 'zod';
import { createdRange } from '../../common/moment.schema.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { eventKinds } from '../../common/webhooks/event.model.ts';
import { EventSummary, toEventSummary } from '../../common/webhooks/event.view.ts';
import { listEvents } from '../../common/webhooks/read-events.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, reply } from '../route.ts';
import { anEvent } from '../webhook-examples.ts';

/** What happened to the caller's mail jobs, newest first. */
export const listEventsRoute = defineRoute({
  method: 'get',
  path: '/v1/events',
  scope: 'read',
  operationId: 'listEvents',
  summary: 'List events',
  description: 'Newest first; those of the last 90 days.',
  query: z.strictObject({
    event: z.enum(eventKinds).optional(),
    mailJobId: lineOfText(100).optional(),
    ...createdRange,
    ...pageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: pageOf(EventSummary) },
  errors: [],
  example: { responses: { 200: { data: [anEvent], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toPage(await listEvents(credential, query, cursors), toEventSummary));
  },
});
