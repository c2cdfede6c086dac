import { z } from 'zod';
import { type EventRecord, eventKinds, isOfTest } from '#common/events/event.model.ts';
import { modes } from '#common/modes.ts';
import type { DeliveryRecord } from '../deliveries/delivery.model.ts';
import { DeliverySummary, toDeliverySummary } from '../deliveries/delivery.view.ts';

/** An event without its body. */
export const EventSummary = z
  .object({
    id: z.string(),
    event: z.enum(eventKinds),
    mailJobId: z
      .string()
      .describe('The mail job, or the bulk of `BULK_COMPLETED`; `ping-…` or `trigger-…` for a test.'),
    itemId: z.string().nullable().describe('The copy that came back; null for events of the whole mail job.'),
    mode: z.enum(modes),
    isTest: z.boolean().describe('Made by a ping or triggered in the sandbox, not by a mail job.'),
    createdAt: z.iso.datetime().describe('When it was stored; the body has the moment of what it reports.'),
  })
  .meta({ id: 'EventSummary' });
export type EventSummary = z.infer<typeof EventSummary>;

/** An event with its body and deliveries. */
export const EventDetail = EventSummary.extend({
  body: z.string().describe('The body of its deliveries, byte for byte: what the signatures are made over.'),
  deliveries: z.array(DeliverySummary),
}).meta({ id: 'EventDetail' });
export type EventDetail = z.infer<typeof EventDetail>;

export type SummaryEvent = Pick<EventRecord, '_id' | 'kind' | 'subjectId' | 'mailJobId' | 'mode' | 'at'>;

export function toEventSummary({ _id: id, kind, subjectId, mailJobId, mode, at }: SummaryEvent): EventSummary {
  return {
    id,
    event: kind,
    mailJobId: mailJobId ?? subjectId,
    itemId: mailJobId === undefined ? null : subjectId,
    mode,
    isTest: isOfTest(subjectId),
    createdAt: at.toISOString(),
  };
}

export function toEventDetail(event: EventRecord, deliveries: readonly DeliveryRecord[]): EventDetail {
  return { ...toEventSummary(event), body: event.body, deliveries: deliveries.map(toDeliverySummary) };
}
