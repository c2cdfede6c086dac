import type { z } from 'zod';
import { mailEventPayloads } from '../../common/mail-jobs/mail-event.schema.ts';
import type { EventKind } from '../../common/webhooks/event.model.ts';
import { retryDelaysMs } from '../../common/webhooks/retry-schedule.ts';
import { signatureHeaders } from '../../common/webhooks/signature.ts';
import { eventPayloads, exampleDelivery, exampleSecret } from '../webhook-examples.ts';
import type { JsonObject, SchemaBook } from './schema-book.ts';
import { eventTag } from './tags.ts';

const summaries: Record<EventKind, string> = {
  MAIL_QUEUED: 'A mail job was taken and paid',
  MAIL_PRINTED: 'A mail job was printed',
  MAIL_POSTED: 'A mail job was handed to the post',
  MAIL_DELIVERED: 'A registered mail job was delivered',
  MAIL_FAILED: 'A mail job failed and was refunded',
};

/** What a delivery carries beside its body. */
const deliveryHeaders = {
  'X-Service-Signature':
    '`t=<Unix time in seconds>,v1=<hex>`, while a rotation overlaps with a second `v1=`: the HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole signing secret as it ' +
    'was shown. Compare in constant time, and refuse what is older than 300 seconds. The example is signed with ' +
    `\`${exampleSecret}\` over the example body without blanks.`,
  'X-Service-Event': 'The kind of the event, as in the body.',
  'X-Service-Delivery': 'The id of the delivery, the same in each attempt.',
  'X-Service-Attempt': 'Counts the attempts, from 1.',
  'webhook-id': 'With the next two, the headers of Standard Webhooks, for its libraries.',
  'webhook-timestamp': 'Unix time in seconds.',
  'webhook-signature': 'The signature of Standard Webhooks.',
};

const receiverAnswers: JsonObject = {
  '200': { description: 'Taken, like every status from 200 to 299.' },
  '410': { description: 'Gone: the webhook is disabled, and nothing more is sent to it.' },
  default: {
    description:
      `Tried again: ${retryDelaysMs.live.length} times over three days, in test mode ${retryDelaysMs.test.length} times ` +
      'within minutes. 429 and 503 may say when by `Retry-After`.',
  },
};

/** The five events as requests that receivers get. */
export function describeEvents(book: SchemaBook): JsonObject {
  return Object.fromEntries(
    Object.entries(mailEventPayloads).map(([kind, payload]) => [
      kind,
      { post: describeEvent(kind as EventKind, payload, book) },
    ]),
  );
}

function describeEvent(kind: EventKind, payload: z.ZodType, book: SchemaBook): JsonObject {
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
      content: { 'application/json': { schema: book.ofAnswer(payload), example } },
    },
    responses: receiverAnswers,
  };
}

const testHeader: JsonObject = {
  name: 'X-Service-Test',
  in: 'header',
  description: 'On the test that a ping sends, about a mail job that nobody has (`ping-…`).',
  required: false,
  schema: { type: 'string', enum: ['true'] },
};

/** As they are sent, signature and all. */
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
