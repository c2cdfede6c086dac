import { z } from 'zod';
import { anAdvancingClock, clockPath } from '#api/openapi/examples/sandbox-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { advanceClock, readClock } from '#common/sandbox/clocks/change-clocks.ts';
import { SandboxClockView, toClockView } from '#common/sandbox/clocks/clock.view.ts';

export const advanceClockRoute = defineRoute({
  method: 'post',
  path: '/v1/sandbox/clocks/{id}/advance',
  scope: 'send',
  mode: 'test',
  operationId: 'advanceSandboxClock',
  summary: 'Advance a test clock',
  description:
    'Everything that falls due on its letters until then happens, in the order of its time. The clock is `advancing` until that is done, and waits for the rendering of its letters first. The same request again changes nothing; another time meanwhile is a `CONFLICT`.',
  params: pathId('clk'),
  body: z
    .strictObject({
      to: z.iso
        .datetime({ offset: true })
        .describe("Not before the clock's time, at most 90 days after it, and at most 10 years from now."),
    })
    .meta({ id: 'SandboxClockAdvanceRequest' }),
  responses: { 200: SandboxClockView },
  errors: ['NOT_FOUND', 'CONFLICT'],
  example: { params: clockPath, body: { to: anAdvancingClock.target }, responses: { 200: anAdvancingClock } },
  repeat: async ({ params, credential }) => toClockView(await readClock(credential, params.id), credential),

  async handle({ params, body, credential, now }, services) {
    const advance = { clockId: params.id, to: new Date(body.to) };
    return reply(200, toClockView(await advanceClock(credential, advance, services, now), credential));
  },
});
