import { aValidatingBulk, bulkMapping, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { mapColumns, readToChange } from '#common/bulk/actions/change-bulk.ts';
import { toNamedMapping } from '#common/bulk/actions/create-bulk.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';
import { BulkMappingRequest, toReading } from '#common/bulk/model/bulk-request.schema.ts';

export const mapBulkColumns = defineRoute({
  method: 'post',
  path: '/v1/bulk/{id}/mapping',
  scope: 'send',
  operationId: 'mapBulkColumns',
  summary: 'Choose the columns of a bulk, and how its file is read',
  description:
    'Checks all rows again. `mapping`: with these columns, which replace all others. `ignoredColumns` names those that the letters do not need: a bulk with `undecidedColumns` stays in `needs_mapping` until each of them is in `mapping` or there. `reading`: the file is read again so; what is absent is recognized again. What is not given stays as it was. `CONFLICT` while the file is read and once the bulk is confirmed.',
  params: pathId('blk'),
  body: BulkMappingRequest,
  responses: { 200: BulkView },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: bulkPath, body: { mapping: bulkMapping }, responses: { 200: aValidatingBulk } },
  repeat: async ({ params, credential }) => toBulkView(await readToChange(credential, params.id), credential),

  async handle({ params, body, credential, now }, services) {
    const { mapping, ignoredColumns, reading } = body;
    const choice = {
      mapping: mapping === undefined ? undefined : toNamedMapping(mapping),
      ignoredColumns: ignoredColumns ?? undefined,
      reading: reading ? toReading(reading) : undefined,
    };
    return reply(200, toBulkView(await mapColumns(credential, params.id, choice, services, now), credential));
  },
});
