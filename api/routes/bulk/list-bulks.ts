import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aReadyBulk } from '#api/openapi/examples/bulk-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';
import { listBulks } from '#common/bulk/read/read-bulk.ts';

export const listBulksRoute = defineRoute({
  method: 'get',
  path: '/v1/bulk',
  scope: 'read',
  operationId: 'listBulks',
  summary: 'List bulks',
  description: 'Newest first.',
  query: z.strictObject(listPageQuery({ maxLimit: 100, defaultLimit: 20 })),
  responses: { 200: listPageOf(BulkView) },
  errors: [],
  example: { responses: { 200: { data: [aReadyBulk], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(
      200,
      toListPage(await listBulks(credential, query, cursors), (row) => toBulkView(row, credential)),
    );
  },
});
