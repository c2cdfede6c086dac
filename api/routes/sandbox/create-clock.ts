import { z } from 'zod';
import { aClock } from '#api/openapi/examples/sandbox-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { createClock, readClock } from '#common/sandbox/clocks/change-clocks.ts';
import { SandboxClockView, toClockView } from '#common/sandbox/clocks/clock.view.ts';

export const createClockRoute = defineRoute({
  method: 'post',
  path: '/v1/sandbox/clocks',
  scope: 'send',
  mode: 'test',
  operationId: 'createSandboxClock',
  summary: 'Create a test clock',
  description:
    'A letter that names it as `sandboxClockId` follows its time instead of the time of day: cutoffs, automatic steps, `scheduledDropAt`, retention, and retries of webhooks. The clock stands until you advance it. It is deleted after 30 days. At most 100 clocks at a time.',
  body: z
    .strictObject({ now: z.iso.datetime({ offset: true }).describe('At most 365 days from now.') })
    .meta({ id: 'SandboxClockRequest' }),
  responses: { 201: SandboxClockView },
  errors: ['LIMIT_REACHED'],
  example: { body: { now: aClock.now }, responses: { 201: { ...aClock, letterCount: 0 } } },
  repeat: async ({ credential }, _services, id) => toClockView(await readClock(credential, id), credential),

  async handle({ body, credential, now, claim }) {
    return reply(201, toClockView(await createClock(credential, new Date(body.now), now, claim), credential));
  },
});
