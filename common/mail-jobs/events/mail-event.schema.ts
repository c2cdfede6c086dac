import { z } from 'zod';
import type { EventKind, MailEventKind } from '#common/events/event.model.ts';
import { Failure } from '../model/failure.ts';
import type { MailStatus } from '../model/mail-status.ts';
import { Returned } from '../model/returned.ts';

/** The event that reports each status. */
export const eventKindOf = {
  queued: 'MAIL_QUEUED',
  printed: 'MAIL_PRINTED',
  posted: 'MAIL_POSTED',
  delivered: 'MAIL_DELIVERED',
  failed: 'MAIL_FAILED',
} as const satisfies Record<MailStatus, MailEventKind>;

const subject = { mailJobId: z.string(), externalId: z.string().nullable() };
const Moment = z.iso.datetime();

/** Declares the payload of the event that reports a status. */
function payloadOf(status: MailStatus, id: string, more: z.ZodRawShape = {}) {
  const event = z.literal(eventKindOf[status]);
  return z.object({ event, ...subject, status: z.literal(status), [`${status}At`]: Moment, ...more }).meta({ id });
}

/** Webhook payloads: the fields of the specification, the time, and for a failure or a return its reason. */
export const eventPayloadSchemas = {
  MAIL_QUEUED: payloadOf('queued', 'MailQueuedEvent'),
  MAIL_PRINTED: payloadOf('printed', 'MailPrintedEvent'),
  MAIL_POSTED: payloadOf('posted', 'MailPostedEvent'),
  MAIL_DELIVERED: payloadOf('delivered', 'MailDeliveredEvent'),
  MAIL_FAILED: payloadOf('failed', 'MailFailedEvent', { failure: Failure }),
  ITEM_RETURNED: z
    .object({
      event: z.literal('ITEM_RETURNED'),
      ...subject,
      itemId: z.string(),
      reason: Returned.shape.reason,
      returnedAt: Moment,
    })
    .meta({ id: 'ItemReturnedEvent' }),
  BULK_COMPLETED: z
    .object({
      event: z.literal('BULK_COMPLETED'),
      bulkId: z.string(),
      sent: z.int().describe('Rows that are mail jobs.'),
      refused: z.int().describe('Rows that were refused when they were sent.'),
      totalCents: z.int(),
      completedAt: Moment,
    })
    .meta({ id: 'BulkCompletedEvent' }),
} as const satisfies Record<EventKind, z.ZodType>;
