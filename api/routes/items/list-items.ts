import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aReturnedItem } from '#api/openapi/examples/letter-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { Moment } from '#common/fields/moment.schema.ts';
import { listReturnedItems, ReturnedItemView } from '#common/mail-jobs/read/returned-items.ts';

export const listItems = defineRoute({
  method: 'get',
  path: '/v1/items',
  scope: 'read',
  operationId: 'listItems',
  summary: 'List copies that came back',
  description:
    'The copies of letters that the post could not deliver and brought back, newest first. The reasons are an open list.',
  query: z.strictObject({
    status: z.enum(['returned']).default('returned').describe('The only status so far.'),
    updatedAfter: Moment.optional().describe('Came back at this moment or later.'),
    ...listPageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: listPageOf(ReturnedItemView) },
  errors: [],
  example: {
    query: { status: 'returned', updatedAfter: '2026-03-01T00:00:00.000Z' },
    responses: { 200: { data: [aReturnedItem], hasMore: false, nextCursor: null } },
  },

  async handle({ query: { status: _, ...filter }, credential }, { cursors }) {
    return reply(
      200,
      toListPage(await listReturnedItems(credential, filter, cursors), (item) => item),
    );
  },
});
