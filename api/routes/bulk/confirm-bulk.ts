import { aSendingBulk, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { confirmBulk, readToChange } from '#common/bulk/actions/change-bulk.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';
import { BulkConfirmRequest } from '#common/bulk/model/bulk-request.schema.ts';

export const confirmBulkRoute = defineRoute({
  method: 'post',
  path: '/v1/bulk/{id}/confirm',
  scope: 'send',
  operationId: 'confirmBulk',
  summary: 'Send a bulk',
  description:
    'The rows become mail jobs in the background, each debited when it is created. `CONFLICT` unless the status is `ready`, or `needs_attention` with `skipFaultyRows`. A repeat answers with the current state and sends nothing twice. When the balance runs out, or a letter would cost more than when it was checked, the bulk pauses.',
  params: pathId('blk'),
  body: BulkConfirmRequest,
  responses: { 200: BulkView },
  errors: ['NOT_FOUND', 'CONFLICT', 'PRICE_CHANGED', 'SERVICE_UNAVAILABLE'],
  example: { params: bulkPath, body: { maxTotalCents: 234_780, revision: 0 }, responses: { 200: aSendingBulk } },
  repeat: async ({ params, credential }) => toBulkView(await readToChange(credential, params.id), credential),

  async handle({ params, body, credential, now }, services) {
    return reply(200, toBulkView(await confirmBulk(credential, params.id, body, services, now), credential));
  },
});
