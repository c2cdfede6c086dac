import { aClock, clockPath } from '#api/openapi/examples/sandbox-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readClock } from '#common/sandbox/clocks/change-clocks.ts';
import { SandboxClockView, toClockView } from '#common/sandbox/clocks/clock.view.ts';

export const getClock = defineRoute({
  method: 'get',
  path: '/v1/sandbox/clocks/{id}',
  scope: 'read',
  mode: 'test',
  operationId: 'getSandboxClock',
  summary: 'Get a test clock',
  params: pathId('clk'),
  responses: { 200: SandboxClockView },
  errors: ['NOT_FOUND'],
  example: { params: clockPath, responses: { 200: aClock } },

  async handle({ params, credential }) {
    return reply(200, toClockView(await readClock(credential, params.id), credential));
  },
});
