import { z } from 'zod';
import { aValidatingBulk, bulkMapping, bulkPath } from '#api/openapi/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { mapColumns, readToChange } from '#common/bulk/actions/change-bulk.ts';
import { toNamedMapping } from '#common/bulk/actions/create-bulk.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';
import { BulkMappingInput, BulkReadingInput, toReading } from '#common/bulk/model/bulk-request.schema.ts';

export const mapBulkColumns = defineRoute({
  method: 'post',
  path: '/v1/bulk/{id}/mapping',
  scope: 'send',
  operationId: 'mapBulkColumns',
  summary: 'Choose the columns of a bulk, and how its file is read',
  description:
    'Checks all rows again. `mapping`: with these columns; fields that are absent are guessed again. `reading`: the file is read again so; what is absent is recognized again. Without one of them, it stays as it was. `CONFLICT` while the file is read and once the bulk is confirmed.',
  params: pathId('blk'),
  body: z
    .strictObject({ mapping: BulkMappingInput.nullish(), reading: BulkReadingInput.nullish() })
    .meta({ id: 'BulkMappingRequest' }),
  responses: { 200: BulkView },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: bulkPath, body: { mapping: bulkMapping }, responses: { 200: aValidatingBulk } },
  repeat: async ({ params, credential }) => toBulkView(await readToChange(credential, params.id), credential),

  async handle({ params, body, credential, now }, services) {
    const correction = { mapping: toNamedMapping(body.mapping), reading: body.reading && toReading(body.reading) };
    return reply(200, toBulkView(await mapColumns(credential, params.id, correction, services, now), credential));
  },
});
