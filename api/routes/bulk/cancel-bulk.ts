import { aCancelledBulk, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { cancelBulk } from '#common/bulk/actions/change-bulk.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';

export const cancelBulkRoute = defineRoute({
  method: 'post',
  path: '/v1/bulk/{id}/cancel',
  scope: 'send',
  operationId: 'cancelBulk',
  summary: 'Cancel a bulk',
  description:
    'No further letter is created after the answer. Letters that can still be cancelled are cancelled in the background and refunded; see `progress`. A repeat answers the same. `CONFLICT` for a bulk that failed.',
  params: pathId('blk'),
  responses: { 200: BulkView },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: bulkPath, responses: { 200: aCancelledBulk } },
  repeat: 'rerun',

  async handle({ params, credential, now }, services) {
    return reply(200, toBulkView(await cancelBulk(credential, params.id, services, now), credential));
  },
});
