import { z } from 'zod';
import type { EventKind } from '#common/events/event.model.ts';
import { Failure } from '../model/failure.ts';
import type { MailStatus } from '../model/lifecycle.ts';

/** The event that reports each status. */
export const eventKindOf = {
  queued: 'MAIL_QUEUED',
  printed: 'MAIL_PRINTED',
  posted: 'MAIL_POSTED',
  delivered: 'MAIL_DELIVERED',
  failed: 'MAIL_FAILED',
} as const satisfies Record<MailStatus, EventKind>;

const subject = { mailJobId: z.string(), externalId: z.string().nullable() };
const Moment = z.iso.datetime();

/** Webhook payloads: the fields of the specification, the time, and for a failure its reason. */
export const mailEventPayloads = {
  MAIL_QUEUED: z
    .object({ event: z.literal('MAIL_QUEUED'), ...subject, status: z.literal('queued'), queuedAt: Moment })
    .meta({ id: 'MailQueuedEvent' }),
  MAIL_PRINTED: z
    .object({ event: z.literal('MAIL_PRINTED'), ...subject, status: z.literal('printed'), printedAt: Moment })
    .meta({ id: 'MailPrintedEvent' }),
  MAIL_POSTED: z
    .object({ event: z.literal('MAIL_POSTED'), ...subject, status: z.literal('posted'), postedAt: Moment })
    .meta({ id: 'MailPostedEvent' }),
  MAIL_DELIVERED: z
    .object({ event: z.literal('MAIL_DELIVERED'), ...subject, status: z.literal('delivered'), deliveredAt: Moment })
    .meta({ id: 'MailDeliveredEvent' }),
  MAIL_FAILED: z
    .object({
      event: z.literal('MAIL_FAILED'),
      ...subject,
      status: z.literal('failed'),
      failedAt: Moment,
      failure: Failure,
    })
    .meta({ id: 'MailFailedEvent' }),
} as const satisfies Record<EventKind, z.ZodType>;
