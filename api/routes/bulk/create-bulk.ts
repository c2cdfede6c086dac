import { aValidatingBulk, bulkRequest } from '#api/openapi/examples/bulk-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readToChange } from '#common/bulk/actions/change-bulk.ts';
import { createBulk } from '#common/bulk/actions/create-bulk.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';
import { BulkRequest } from '#common/bulk/model/bulk-request.schema.ts';

export const createBulkRoute = defineRoute({
  method: 'post',
  path: '/v1/bulk',
  scope: 'send',
  operationId: 'createBulk',
  summary: 'Create a bulk',
  description: `Reads the file and checks every row in the background; 100,000 rows take less than a minute. Poll \`GET /v1/bulk/{id}\` until the status is no longer \`validating\`. Nothing is sent or debited before \`POST /v1/bulk/{id}/confirm\`.

Encoding, separator, sheet, heading and the meaning of the columns are recognized; see \`format\`. \`reading\` and \`mapping\` override them. The limits are 100,000 rows, 200 columns, 2,000 characters per cell and 100 MB. At most 20 bulks of an organization and mode may be unfinished; \`LIMIT_REACHED\` otherwise.`,
  body: BulkRequest,
  responses: { 202: BulkView },
  errors: ['LIMIT_REACHED', 'SERVICE_UNAVAILABLE'],
  example: { body: bulkRequest, responses: { 202: aValidatingBulk } },
  repeat: async ({ credential }, _services, id) => toBulkView(await readToChange(credential, id), credential),

  async handle({ body, credential, now, claim }, services) {
    const bulk = await createBulk(credential, body, services, now);
    await claim?.finish(bulk._id);
    return reply(202, toBulkView(bulk, credential));
  },
});
