import { z } from 'zod';
import { aPausedBulk, aSendingBulk, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { pauseSending, readToChange, resumeSending } from '#common/bulk/actions/change-bulk.ts';
import { BulkView, toBulkView } from '#common/bulk/model/bulk.view.ts';

export const pauseBulkRoute = defineRoute({
  method: 'post',
  path: '/v1/bulk/{id}/pause',
  scope: 'send',
  operationId: 'pauseBulk',
  summary: 'Pause a bulk',
  description:
    'No further letter is created after the answer. Letters that exist stay as they are. A bulk that is paused for 30 days is cancelled. `CONFLICT` unless it is sending.',
  params: pathId('blk'),
  responses: { 200: BulkView },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: bulkPath, responses: { 200: aPausedBulk } },
  repeat: async ({ params, credential }) => toBulkView(await readToChange(credential, params.id), credential),

  async handle({ params, credential, now }) {
    return reply(200, toBulkView(await pauseSending(credential, params.id, now), credential));
  },
});

export const resumeBulkRoute = defineRoute({
  method: 'post',
  path: '/v1/bulk/{id}/resume',
  scope: 'send',
  operationId: 'resumeBulk',
  summary: 'Resume a bulk',
  description: 'Continues behind the last letter that was created. `CONFLICT` unless it is paused.',
  params: pathId('blk'),
  body: z
    .strictObject({
      acceptNewPrice: z
        .boolean()
        .nullish()
        .describe('Send the rest although a letter costs more now. Otherwise `PRICE_CHANGED` pauses the bulk again.'),
    })
    .meta({ id: 'BulkResumeRequest' })
    .default({}),
  responses: { 200: BulkView },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: bulkPath, body: {}, responses: { 200: aSendingBulk } },
  repeat: async ({ params, credential }) => toBulkView(await readToChange(credential, params.id), credential),

  async handle({ params, body, credential, now }, services) {
    const choice = { acceptNewPrice: body.acceptNewPrice ?? false };
    return reply(200, toBulkView(await resumeSending(credential, params.id, choice, services, now), credential));
  },
});
