import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aFaultyRow, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { BulkRowView, toBulkRowView } from '#common/bulk/model/bulk-row.view.ts';
import { listRows, readBulk } from '#common/bulk/read/read-bulk.ts';

export const listBulkRows = defineRoute({
  method: 'get',
  path: '/v1/bulk/{id}/rows',
  scope: 'read',
  operationId: 'listBulkRows',
  summary: 'List the rows of a bulk',
  description:
    'In the order of the file, each with all of its faults. With `status`, only the valid, faulty or refused ones. The list is empty once the rows are removed.',
  params: pathId('blk'),
  query: z.strictObject({
    ...listPageQuery({ maxLimit: 500, defaultLimit: 100 }),
    status: z.enum(['valid', 'faulty', 'refused']).optional(),
  }),
  responses: { 200: listPageOf(BulkRowView) },
  errors: ['NOT_FOUND'],
  example: {
    params: bulkPath,
    query: { status: 'faulty' },
    responses: { 200: { data: [aFaultyRow], hasMore: false, nextCursor: null } },
  },

  async handle({ params, query: { status: state, ...query }, credential }, { cursors }) {
    const bulk = await readBulk(credential, params.id);
    const page = await listRows(bulk, { ...query, state }, cursors);
    return reply(
      200,
      toListPage(page, (row) => toBulkRowView(row, bulk.header)),
    );
  },
});
