import { aSendingBulk, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';
import { readBulk } from '#common/bulk/read/read-bulk.ts';

export const getBulk = defineRoute({
  method: 'get',
  path: '/v1/bulk/{id}',
  scope: 'read',
  operationId: 'getBulk',
  summary: 'Read a bulk',
  description: 'Poll it once a second at most. `progress.sent` counts exactly the letters that exist.',
  params: pathId('blk'),
  responses: { 200: BulkView },
  errors: ['NOT_FOUND'],
  example: { params: bulkPath, responses: { 200: aSendingBulk } },

  async handle({ params, credential }) {
    return reply(200, toBulkView(await readBulk(credential, params.id), credential));
  },
});
