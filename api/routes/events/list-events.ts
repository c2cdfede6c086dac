import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { anEvent } from '#api/openapi/examples/webhook-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { createdRange } from '#common/fields/moment.schema.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { EventSummary, toEventSummary } from '#common/webhooks/console/event.view.ts';
import { listEvents } from '#common/webhooks/console/read-events.ts';

export const listEventsRoute = defineRoute({
  method: 'get',
  path: '/v1/events',
  scope: 'read',
  operationId: 'listEvents',
  summary: 'List events',
  description: 'Events of the last 90 days, newest first.',
  query: z.strictObject({
    event: z.enum(eventKinds).optional(),
    mailJobId: lineOfText(100).optional(),
    ...createdRange,
    ...listPageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: listPageOf(EventSummary) },
  errors: [],
  example: { responses: { 200: { data: [anEvent], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toListPage(await listEvents(credential, query, cursors), toEventSummary));
  },
});
