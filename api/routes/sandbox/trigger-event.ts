import { z } from 'zod';
import { aTriggered } from '#api/openapi/examples/webhook-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { triggerEvent } from '#common/mail-jobs/events/trigger-event.ts';

export const triggerEventRoute = defineRoute({
  method: 'post',
  path: '/v1/sandbox/trigger',
  scope: 'send',
  mode: 'test',
  operationId: 'triggerEvent',
  summary: 'Send a test event to your webhooks',
  description:
    'Sends an event of any kind to all your test webhooks that name it and to your event streams, signed and delivered like any other, with the header `X-Service-Test: true`. It is about a sandbox mail job of yours, which does not change, or about one that does not exist.',
  body: z
    .strictObject({
      event: z.enum(eventKinds),
      mailJobId: lineOfText(100)
        .meta({ pattern: '^mj_' })
        .optional()
        .describe('Not for `BULK_COMPLETED`. Absent: a mail job that does not exist.'),
    })
    .meta({ id: 'TriggerRequest' }),
  responses: {
    200: z
      .object({
        eventId: z.string(),
        event: z.enum(eventKinds),
        mailJobId: z.string().describe('`trigger-…` when it does not exist; then also the ID of the copy or bulk.'),
      })
      .meta({ id: 'TriggeredEvent' }),
  },
  errors: ['NOT_FOUND'],
  example: { body: { event: 'MAIL_POSTED' }, responses: { 200: aTriggered } },
  repeat: 'kept',

  async handle({ body, credential, now }, services) {
    return reply(200, await triggerEvent(credential, body, services, now));
  },
});
