import { z } from 'zod';
import { clockPath } from '#api/openapi/examples/sandbox-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { deleteClock } from '#common/sandbox/clocks/change-clocks.ts';

export const deleteClockRoute = defineRoute({
  method: 'delete',
  path: '/v1/sandbox/clocks/{id}',
  scope: 'send',
  mode: 'test',
  operationId: 'deleteSandboxClock',
  summary: 'Delete a test clock',
  description:
    'Its letters stay as they are: only `simulate` advances them. The print files of the rendered ones are removed, and their retention goes by the time of day.',
  params: pathId('clk'),
  responses: { 200: z.object({ clockId: z.string(), deleted: z.literal(true) }).meta({ id: 'DeletedSandboxClock' }) },
  errors: ['NOT_FOUND'],
  example: { params: clockPath, responses: { 200: { clockId: clockPath.id, deleted: true } } },

  async handle({ params, credential, now }, services) {
    await deleteClock(credential, params.id, services, now);
    return reply(200, { clockId: params.id, deleted: true as const });
  },
});
