import { z } from 'zod';
import { eventKinds } from '#common/events/event.model.ts';
import { type DeliveryAttemptRecord, type DeliveryRecord, deliveryStates } from './delivery.model.ts';

const Moment = z.iso.datetime();

/** A delivery without its attempts. */
export const DeliverySummary = z
  .object({
    id: z.string().describe('The `X-Service-Delivery` of each of its attempts.'),
    eventId: z.string(),
    event: z.enum(eventKinds),
    mailJobId: z.string(),
    webhookId: z.string().nullable().describe("Null for a mail job's own `webhookUrl`."),
    url: z.string(),
    status: z
      .enum(deliveryStates)
      .describe(
        '`due` waits for its next attempt, `discarded` was given up because the webhook was disabled or deleted.',
      ),
    attemptCount: z.int().min(0).describe('Attempts made so far.'),
    isManual: z.boolean().describe('Asked for by you: when that attempt fails, nothing follows by itself.'),
    lastResult: z
      .string()
      .nullable()
      .describe(
        "A status, or the class of an error. `consent_ended`: discarded, because the access of the application that gave the mail job's own `webhookUrl` has ended.",
      ),
    nextAttemptAt: Moment.nullable(),
    createdAt: Moment,
    updatedAt: Moment,
  })
  .meta({ id: 'DeliverySummary' });
export type DeliverySummary = z.infer<typeof DeliverySummary>;

const DeliveryAttemptView = z
  .object({
    number: z.int().min(1),
    startedAt: Moment,
    endedAt: Moment,
    status: z.int().nullable().describe('What the receiver answered; null when no answer came.'),
    errorClass: z
      .string()
      .nullable()
      .describe(
        'Why no answer came: `dns`, `blocked_ip`, `connect`, `tls`, `timeout`, `http`, or `interrupted`: our process ended in the middle, and the attempt may have reached you.',
      ),
    replyHead: z.string().nullable().describe('The beginning of the answer, 2 kB at most.'),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A delivery with its attempts. */
export const DeliveryView = DeliverySummary.extend({
  attempts: z.array(DeliveryAttemptView).describe('The last ten, the newest first; each is kept for 30 days.'),
}).meta({ id: 'Delivery' });
export type DeliveryView = z.infer<typeof DeliveryView>;

export function toDeliverySummary(record: DeliveryRecord): DeliverySummary {
  const { _id: id, eventId, event, mailJobId, webhookId, url, state: status, attempt, isManual, lastResult } = record;
  return {
    ...{ id, eventId, event, mailJobId, webhookId, url, status, attemptCount: attempt, isManual: isManual ?? false },
    lastResult,
    nextAttemptAt: record.nextAttemptAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export type DeliveryWithAttempts = DeliveryRecord & { attempts: readonly DeliveryAttemptRecord[] };

export function toDeliveryView(record: DeliveryWithAttempts): DeliveryView {
  const attempts = record.attempts.map(({ number, startedAt, durationMs, status, errorClass, replyHead }) => {
    const endedAt = new Date(startedAt.getTime() + durationMs).toISOString();
    return { number, startedAt: startedAt.toISOString(), endedAt, status, errorClass, replyHead };
  });
  return { ...toDeliverySummary(record), attempts };
}
