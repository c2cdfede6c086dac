import type { z } from 'zod';
import type { EventKind } from '#common/events/event.model.ts';
import { eventPayloadSchemas } from '#common/mail-jobs/events/mail-event.schema.ts';
import { retryDelaysMs } from '#common/webhooks/deliveries/retry-schedule.ts';
import { signatureHeaders } from '#common/webhooks/egress/signature.ts';
import { eventPayloads, exampleDelivery, exampleSecret } from './examples/webhook-examples.ts';
import type { JsonObject, SchemaRegistry } from './schema-registry.ts';
import { eventTag } from './tags.ts';

const summaries: Record<EventKind, string> = {
  MAIL_QUEUED: 'A mail job was accepted and paid',
  MAIL_PRINTED: 'A mail job was printed',
  MAIL_POSTED: 'A mail job was handed to the post',
  MAIL_DELIVERED: 'A registered mail job was delivered',
  MAIL_FAILED: 'A mail job failed and was refunded',
  ITEM_RETURNED: 'A copy came back; only for webhooks that name this kind',
  BULK_COMPLETED: 'Every row of a bulk was sent or refused; only for webhooks that name this kind',
};

/** The headers of a delivery. */
const deliveryHeaders = {
  'X-Service-Signature':
    '`t=<Unix time in seconds>,v1=<hex>`. The value of `v1` is the HMAC-SHA256 of `<t>.<raw body>`, keyed with the ' +
    'complete signing secret as it was shown. During the overlap of a secret rotation there is a second `v1=`. Compare ' +
    'in constant time and refuse requests older than 300 seconds. The example is signed with ' +
    `\`${exampleSecret}\` over the example body without whitespace.`,
  'X-Service-Event': 'Event type, as in the body.',
  'X-Service-Delivery': 'ID of the delivery. It is the same for every attempt.',
  'X-Service-Attempt': 'Number of the attempt, starting at 1.',
  'webhook-id': 'ID of the message for Standard Webhooks libraries, which use this and the next two headers.',
  'webhook-timestamp': 'Unix time in seconds, for Standard Webhooks libraries.',
  'webhook-signature': 'Signature in the Standard Webhooks format.',
};

const receiverAnswers: JsonObject = {
  '200': { description: 'Delivered. Every status from 200 to 299 counts as success.' },
  '410': { description: 'Gone. The webhook is disabled and receives no more events.' },
  default: {
    description:
      `Failed. Retried up to ${retryDelaysMs.live.length} times over three days, in test mode up to ` +
      `${retryDelaysMs.test.length} times within minutes. With 429 and 503, \`Retry-After\` can set the time of the next attempt.`,
  },
};

/** Returns the events as the webhook requests that endpoints receive. */
export function describeEvents(schemas: SchemaRegistry): JsonObject {
  return Object.fromEntries(
    Object.entries(eventPayloadSchemas).map(([kind, payload]) => [
      kind,
      { post: describeEvent(kind as EventKind, payload, schemas) },
    ]),
  );
}

function describeEvent(kind: EventKind, payload: z.ZodType, schemas: SchemaRegistry): JsonObject {
  const example = eventPayloads[kind];
  const words = kind.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return {
    operationId: `receive${words.join('')}`,
    summary: summaries[kind],
    tags: [eventTag.name],
    security: [],
    parameters: [...describeHeaders(kind, JSON.stringify(example)), testHeader],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.ofAnswer(payload), example } },
    },
    responses: receiverAnswers,
  };
}

const testHeader: JsonObject = {
  name: 'X-Service-Test',
  in: 'header',
  description:
    'Set on test events, sent by a ping or triggered in the sandbox. IDs with the prefix `ping-` or `trigger-` do not exist.',
  required: false,
  schema: { type: 'string', enum: ['true'] },
};

/** Returns the headers of a delivery, with a valid signature as the example. */
function describeHeaders(event: EventKind, body: string): JsonObject[] {
  const examples = signatureHeaders({
    secrets: [exampleSecret],
    deliveryId: exampleDelivery.id,
    attempt: 1,
    event,
    body: Buffer.from(body),
    at: new Date(exampleDelivery.at),
  });
  return Object.entries(deliveryHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: true,
    schema: { type: 'string' },
    example: examples[name],
  }));
}
